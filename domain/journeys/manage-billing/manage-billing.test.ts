/** Invoices, details, cancelling and coming back; also while a provider is down, and for callers without permission. */
import { VatIdRefused } from "#payments/payment-provider.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import {
  createTestShop,
  germanDetails,
  previewChange,
  startCustomer,
  startSubscriber,
  type Customer,
  type TestShop,
} from "#testing/payments/test-shop.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

test("events that come after the return, or twice, add nothing", async () => {
  const customer = await startSubscriber(shop);
  await shop.catchUp();
  await shop.catchUp();
  expect(await customer.invoices()).toHaveLength(1);
  expect(await customer.payments()).toHaveLength(1);
  expect((await customer.mails()).filter(({ attachment }) => attachment)).toHaveLength(1);
});

test("numbers have no gaps, even with concurrent payments", async () => {
  const before = await lastNumber();
  const customers = await Promise.all([1, 2, 3, 4].map(() => startSubscriber(shop)));
  const numbers = (await Promise.all(customers.map((customer) => customer.invoices()))).map(([invoice]) =>
    Number(invoice!.number!.slice(5)),
  );
  expect(numbers.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4].map((step) => before + step));
});

async function lastNumber(): Promise<number> {
  const { rows } = await shop.api.database.pool.query("select coalesce(max(issued), 0)::int as n from invoice_numbers");
  return (rows[0] as { n: number }).n;
}

test("an account cannot see another account's invoice", async () => {
  const [owner, other] = [await startSubscriber(shop), await startCustomer(shop)];
  const [invoice] = await owner.invoices();
  for (const id of [invoice!.id, "nothing", "../../etc/passwd", "00000000-0000-7000-8000-000000000000"]) {
    expect((await other.call("GET", `/account/transactions/${encodeURIComponent(id)}/invoice`)).json()).toMatchObject({
      status: 404,
      code: "invoice_not_found",
    });
  }
});

test("cancelling needs the account's name, keeps the paid period, and is undone by resubscribing", async () => {
  const customer = await startSubscriber(shop);
  const wrong = await customer.pay("POST", "/account/billing/cancel", { accountName: "somebody-else" });
  expect(wrong.json()).toMatchObject({ status: 422, errors: [{ path: "accountName", code: "account_name.confirmation" }] });
  const answer = await customer.pay("POST", "/account/billing/cancel", { accountName: customer.form["accountName"], reason: "too dear" });
  expect(answer.json().user.account.billing).toMatchObject({ status: "active" });
  expect((await customer.subscription()).cancelAt).not.toBeNull();
  expect((await customer.call("GET", "/account/plan/next-payment")).json()).toEqual({ nextPayment: null });
  const back = await customer.pay("POST", "/account/billing/resubscribe", {});
  expect(back.json()).toMatchObject({ url: null, user: { account: { billing: { status: "active" } } } });
  expect(await customer.subscription()).toMatchObject({ cancelAt: null });
  expect((await customer.mails()).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(["Your plan is cancelled", "Your plan continues"]),
  );
  expect(await customer.payments()).toHaveLength(1);
});

test("while a provider is down, lists and plan still work, everything else is refused with its name, and nothing is charged", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const preview = await previewChange(customer, "pro-1-monthly");
  const newcomer = await startCustomer(shop);
  shop.isDown = true;
  try {
    expect(await customer.invoices()).toHaveLength(1);
    expect(await customer.payments()).toHaveLength(1);
    expect(await customer.subscription()).toMatchObject({ status: "active" });
    expect((await customer.call("GET", "/v1/paddle/plans")).statusCode).toBe(200);
    const [invoice] = await customer.invoices();
    expect((await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`)).statusCode).toBe(200);
    const refused = [
      await customer.call("GET", "/account/payment-information"),
      await customer.call("GET", "/account/plan/next-payment"),
      await customer.call("POST", "/account/payment-information/change", { body: {} }),
      await customer.call("POST", "/account/plan/change/preview", { body: { planId: "pro-1-monthly" } }),
      await customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId: preview.previewId }, "when-down"),
      await customer.pay("POST", "/account/billing/cancel", { accountName: customer.form["accountName"] }),
      await customer.call("PUT", "/account/billing/details", { body: germanDetails }),
      await newcomer.pay("POST", "/v1/paddle/plan/starter-monthly/generatePayLink", {}),
    ];
    expect(refused.map((answer) => answer.json().code)).toEqual(refused.map(() => "payments_unavailable"));
    expect((await customer.call("GET", "/account/billing/details")).json()).toMatchObject({ details: { name: "Ada Lovelace", line1: "" } });
  } finally {
    shop.isDown = false;
  }
  expect(
    (await customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId: preview.previewId }, "when-down")).statusCode,
  ).toBe(200);
  expect(await customer.payments()).toHaveLength(2);
});

const signedOutCalls = Object.values(routes).filter((route) => route.tag === "Billing" || route.path.endsWith("/generatePayLink"));

test.each(signedOutCalls.map((route) => [route.method, route.path] as const))("signed out, %s %s is refused", async (method, path) => {
  const body = {
    planId: "x",
    previewId: "x",
    accountName: "x",
    timing: "now",
    quotas: { monthlyExecutions: 1, activeWorkflows: 1 },
    ...germanDetails,
  };
  const answer = await shop.api.call(method, `/api${path.replace(":id", "x")}`, {
    ...(method === "GET" || method === "HEAD" ? {} : { body }),
    headers: { "idempotency-key": "x" },
  });
  expect(answer.statusCode).toBe(401);
});

test("a VAT id that the provider does not accept is refused beside its field", async () => {
  const customer = await startSubscriber(shop);
  const { provider } = shop.api.services.billing;
  const { saveDetails } = provider;
  provider.saveDetails = () => Promise.reject(new VatIdRefused("another form"));
  try {
    expect((await customer.call("PUT", "/account/billing/details", { body: germanDetails })).json()).toMatchObject({
      status: 422,
      errors: [{ path: "vatId", code: "vat_id.invalid" }],
    });
  } finally {
    provider.saveDetails = saveDetails;
  }
});

test("if VAT ids are checked, a nonexistent one is refused beside its field, and a silent register does not prevent saving", async () => {
  const customer = await startSubscriber(shop);
  const { billing } = shop.api.services;
  const save = (vatId: string) => customer.call("PUT", "/account/billing/details", { body: { ...germanDetails, vatId } });
  const answers = {
    DE123456789: { valid: true, checkedAt: shop.api.clock.now(), reference: "WAPI1" },
    DE999999999: { valid: false, checkedAt: shop.api.clock.now(), reference: "" },
  };
  billing.askVatRegister = (vatId) => Promise.resolve(answers[vatId as keyof typeof answers] ?? null);
  try {
    expect((await save("DE999999999")).json()).toMatchObject({ status: 422, errors: [{ path: "vatId", code: "vat_id.unknown" }] });
    expect((await customer.call("GET", "/account/billing/details")).json().details.vatId).toBe("");
    expect((await save("de 123 456 789")).json()).toMatchObject({ details: { vatId: "DE123456789" } });
    expect(await keptAnswer(customer)).toEqual({ vat_valid: true, vat_reference: "WAPI1" });
    expect((await save("DE111111111")).statusCode).toBe(200);
    expect(await keptAnswer(customer)).toEqual({ vat_valid: null, vat_reference: null });
  } finally {
    delete billing.askVatRegister;
  }
});

async function keptAnswer(customer: Customer): Promise<unknown> {
  const { rows } = await shop.api.database.pool.query(
    "select vat_valid, vat_reference from billing_details d join accounts a on a.id = d.account_id where a.name = $1",
    [customer.form["accountName"]],
  );
  return rows[0];
}

test("every change of money leaves a row in the audit log, with who and from where", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  await customer.call("PUT", "/account/billing/details", { body: germanDetails });
  await customer.pay("POST", "/account/billing/cancel", { accountName: customer.form["accountName"] });
  await customer.pay("POST", "/account/billing/resubscribe", {});
  const { rows } = await shop.api.database.pool.query(
    "select l.action, l.user_id is not null as by_user, l.address from audit_log l join accounts a on a.id = l.account_id where a.name = $1 order by l.id",
    [customer.form["accountName"]],
  );
  const actions = rows as { action: string; by_user: boolean; address: string | null }[];
  expect(actions.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["subscription.active", "billing_details.changed", "subscription.cancelling"]),
  );
  expect(actions.find(({ action }) => action === "subscription.cancelling")).toMatchObject({
    by_user: true,
    address: expect.stringMatching(/^10\./),
  });
});

test("an invoice of a provider that is the seller stays there: its address is requested at each click, and the provider sends the receipt", async () => {
  let asked = 0;
  await using theirs = await createTestShop({
    isSeller: true,
    invoiceUrl: (id) => Promise.resolve((asked += 1) > 2 ? null : `https://seller.example/${id}?click=${asked}`),
  });
  const customer = await startSubscriber(theirs);
  const [invoice] = await customer.invoices();
  const click = () => customer.call("GET", `/account/transactions/${invoice!.id}/invoice`);
  for (const count of [1, 2]) {
    const answer = await click();
    expect([answer.statusCode, answer.headers["location"]]).toEqual([302, expect.stringContaining(`?click=${count}`)]);
  }
  expect((await click()).json()).toMatchObject({ status: 404, code: "invoice_not_found" });
  theirs.isDown = true;
  expect((await click()).json()).toMatchObject({ status: 503, code: "payments_unavailable" });
  expect((await customer.mails()).filter(({ attachment }) => attachment)).toEqual([]);
});
