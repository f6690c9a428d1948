import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { mails, subscriptions, users, workspaces } from "#database/tables.ts";
import { stateOf } from "#domain/billing/subscription/subscription-states.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { beat } from "#domain/memory-gap/memory-gap-store.ts";
import { dayMs } from "#platform/clock.ts";
import { createStripeHarness, type StripeHarness } from "#testing/payments/stripe-harness.ts";
import { createTestShop, startSubscriber, type Customer } from "#testing/payments/test-shop.ts";
import { reconcile } from "./reconcile.ts";

async function openShop() {
  const shop = await createTestShop({}, createStripeHarness);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const { billing, db } = shop.api.services;
  const ownerOf = async (customer: Customer) =>
    (
      await db
        .select()
        .from(users)
        .where(eq(users.email, String(customer.form["email"])))
    )[0]!.accountId;
  const standing = async (accountId: string) => ({
    state: stateOf(await findSubscription(db, accountId)),
    desired: (await db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!.desiredState,
  });
  /** Live keys know nothing of what was bought with others. */
  const boughtWith = async (accountId: string, provider: string) => {
    await db.update(subscriptions).set({ provider }).where(eq(subscriptions.accountId, accountId));
    const { providerCustomerId: id } = (await findSubscription(db, accountId))!;
    const { customers, subscriptions: sold, invoices, charges } = (shop.harness as StripeHarness).state;
    customers.delete(id!);
    for (const rows of [sold, invoices, charges] as Map<string, { customer: string }>[])
      for (const [key, { customer }] of rows) if (customer === id) rows.delete(key);
  };
  const subjects = async (accountId: string) =>
    (
      await db
        .select({ subject: mails.subject })
        .from(mails)
        .innerJoin(users, eq(users.email, mails.recipient))
        .where(eq(users.accountId, accountId))
    ).map(({ subject }) => subject);
  return { shop, billing, ownerOf, standing, boughtWith, subjects };
}

test.each(["stripe-test", "sandbox"])(
  "with live keys, a plan that was bought with %s ends with the next comparison, is announced, and is deleted after seven days",
  async (provider) => {
    const { shop, billing, ownerOf, standing, boughtWith, subjects } = await openShop();
    const [tester, customer] = [await ownerOf(await startSubscriber(shop)), await ownerOf(await startSubscriber(shop))];
    await boughtWith(tester, provider);
    // Only said, as often as it is asked.
    const dry = await reconcile(billing, { since: new Date(0), dryRun: true });
    expect(dry.healed).toMatchObject([{ accountId: tester, what: expect.stringMatching(/^active on .* becomes ended on /) as string }]);
    expect(await standing(tester)).toEqual({ state: "active", desired: "running" });

    const { healed, findings } = await reconcile(billing, { since: new Date(0) });
    expect([healed, findings]).toEqual([dry.healed, []]);
    expect(await standing(tester)).toEqual({ state: "ended", desired: "stopped" });
    expect(await subjects(tester)).toContainEqual(expect.stringMatching(/^Your plan has ended/));
    expect((await reconcile(billing, { since: new Date(0) })).healed).toEqual([]);
    await shop.pass(8 * dayMs);
    expect(await standing(tester)).toEqual({ state: "gone", desired: "deleted" });
    // Who paid keeps the plan.
    expect(await standing(customer)).toEqual({ state: "active", desired: "running" });
  },
);

test("more than three are listed for a person, who ends them or takes the live keys out", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const testers = [];
  for (let count = 0; count < 4; count += 1) testers.push(await ownerOf(await startSubscriber(shop)));
  for (const tester of testers) await boughtWith(tester, "sandbox");
  const { healed, findings } = await reconcile(billing, { since: new Date(0) });
  expect(healed).toEqual([]);
  expect(findings.map(({ kind, accountId }) => [kind, accountId]).toSorted()).toEqual(
    testers.map((tester) => ["test-purchase", tester]).toSorted(),
  );
  for (const tester of testers) expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
  expect((await reconcile(billing, { since: new Date(0), mostTestPurchases: Infinity })).healed).toHaveLength(4);
  for (const tester of testers) expect(await standing(tester)).toEqual({ state: "ended", desired: "stopped" });
});

test("a service with test keys ends no plan that was bought with others", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const tester = await ownerOf(await startSubscriber(shop));
  await boughtWith(tester, "sandbox");
  const test = { ...billing, provider: { ...billing.provider, name: "stripe-test" } };
  await reconcile(test, { since: new Date(0) });
  expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
});

test("while a gap in the database's memory is open, such a plan is listed, and the comparison after that ends it", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const { database, clock } = shop.api;
  const tester = await ownerOf(await startSubscriber(shop));
  await boughtWith(tester, "stripe-test");
  await beat(database.db, clock.now(), null);
  // The machine's clock cannot be moved, so the beat is made older.
  await database.pool.query(
    `update service_state set value = value || jsonb_build_object('beatAt', clock_timestamp() - interval '1 day') where key = 'memory gap'`,
  );
  await beat(database.db, clock.now(), null);
  const { healed, findings } = await reconcile(billing, { since: new Date(0) });
  expect([healed, findings]).toMatchObject([[], [{ kind: "test-purchase", accountId: tester }]]);
  expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
  expect((await reconcile(billing, { since: new Date(0) })).healed).toHaveLength(1);
  expect(await standing(tester)).toEqual({ state: "ended", desired: "stopped" });
});
