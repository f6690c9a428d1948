import { expect, onTestFinished, test } from "vitest";
import { eq } from "drizzle-orm";
import { accounts, sandboxCustomers, subscriptions } from "#database/tables.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";
import { createTestShop, payAt, startCustomer, type Customer, type TestShop } from "#testing/payments/test-shop.ts";

async function buy(shop: TestShop, customer: Customer, card: "visa" | "mastercard"): Promise<void> {
  const { url } = (await customer.pay("POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", {})).json();
  expect(await payAt(shop, url, card)).toBe("paid");
  await shop.catchUp();
}

async function customerOf({ api: { database } }: TestShop, { form }: Customer) {
  const [found] = await database.db
    .select({ id: sandboxCustomers.id, email: sandboxCustomers.email })
    .from(sandboxCustomers)
    .innerJoin(subscriptions, eq(subscriptions.providerCustomerId, sandboxCustomers.id))
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(eq(accounts.name, String(form["accountName"])));
  return found!;
}

test("an account that changes its address keeps its Paddle customer, and the next owner of the old address gets a new one", async () => {
  const shop = await createTestShop({}, createPaddleHarness);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const one = await startCustomer(shop);
  await buy(shop, one, "visa");
  const before = await customerOf(shop, one);
  const email = `moved-${String(one.form["email"])}`;
  await one.call("POST", "/auth/change-email", { body: { email, password: one.form["password"] } });
  const token = new URL(await shop.api.newestLink(email)).searchParams.get("token");
  expect((await one.call("POST", "/auth/change-email/confirm", { body: { token } })).statusCode).toBe(200);
  await shop.catchUp();
  expect(await customerOf(shop, one)).toEqual({ id: before.id, email });

  const other = await startCustomer(shop);
  // As if they had registered with it.
  const old = String(one.form["email"]);
  await shop.api.database.pool.query("update users set email = $1 where email = $2", [old, other.form["email"]]);
  await buy(shop, other, "mastercard");
  const theirs = await customerOf(shop, other);
  expect(theirs.email).toBe(old);
  expect(theirs.id).not.toBe(before.id);
  expect((await other.call("GET", "/account/payment-information")).json().paymentInformation).toMatchObject({ brand: "mastercard" });
  expect(await other.invoices()).toHaveLength(1);
});
