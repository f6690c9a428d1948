import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { mails, subscriptions, users, workspaces } from "#database/tables.ts";
import { assignPlan } from "#domain/billing/subscription/assign-plan.ts";
import { stateOf } from "#domain/billing/subscription/subscription-states.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { beat } from "#domain/memory-gap/memory-gap-store.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { createStripeHarness, type StripeHarness } from "#testing/payments/stripe-harness.ts";
import { createTestShop, startSubscriber, type Customer } from "#testing/payments/test-shop.ts";
import { closeFindings, listFindings, type Finding } from "./finding-store.ts";
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

const books = { since: new Date(0) };
const listedAs = (findings: Finding[]) => findings.filter(({ kind }) => kind === "test-purchase").map(({ accountId }) => accountId);

test.each(["stripe-test", "sandbox"])(
  "with live keys, a plan bought with %s is listed for a night, then ends, is announced, and is deleted after seven days",
  async (provider) => {
    const { shop, billing, ownerOf, standing, boughtWith, subjects } = await openShop();
    const [tester, customer] = [await ownerOf(await startSubscriber(shop)), await ownerOf(await startSubscriber(shop))];
    await boughtWith(tester, provider);
    expect(listedAs((await reconcile(billing, books)).findings)).toEqual([tester]);
    // By hand an hour later, or taken off the list: the night is not over, and it does not go on for free in silence.
    await shop.pass(hourMs);
    expect(
      await closeFindings(billing.db, (await findSubscription(billing.db, tester))!.providerSubscriptionId!, "grace", billing.clock.now()),
    ).toBe(1);
    expect(listedAs((await reconcile(billing, books)).findings)).toEqual([tester]);
    expect(await listFindings(billing.db)).toMatchObject([{ kind: "test-purchase", accountId: tester }]);
    expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
    await shop.pass(dayMs);
    // Only said, as often as it is asked.
    const dry = await reconcile(billing, { ...books, dryRun: true });
    expect(dry.healed).toMatchObject([{ accountId: tester, what: expect.stringMatching(/^active on .* becomes ended on /) as string }]);
    expect(await standing(tester)).toEqual({ state: "active", desired: "running" });

    const { healed, findings } = await reconcile(billing, books);
    expect([healed, findings]).toEqual([dry.healed, []]);
    expect(await standing(tester)).toEqual({ state: "ended", desired: "stopped" });
    expect(await listFindings(billing.db)).toEqual([]);
    expect(await subjects(tester)).toContainEqual(expect.stringMatching(/^Your plan has ended/));
    expect((await reconcile(billing, books)).healed).toEqual([]);
    await shop.pass(8 * dayMs);
    expect(await standing(tester)).toEqual({ state: "gone", desired: "deleted" });
    // Who paid keeps the plan.
    expect(await standing(customer)).toEqual({ state: "active", desired: "running" });
  },
);

test("a second switch to live keys, weeks later, lists them for a night again", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const tester = await ownerOf(await startSubscriber(shop));
  await boughtWith(tester, "stripe-test");
  await reconcile(billing, books);
  await shop.pass(5 * dayMs);
  expect(listedAs((await reconcile(billing, books)).findings)).toEqual([tester]);
  expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
  await shop.pass(dayMs);
  expect((await reconcile(billing, books)).healed).toHaveLength(1);
});

test("more than three only end by a person's word, with their number", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const testers: string[] = [];
  for (let count = 0; count < 4; count += 1) testers.push(await ownerOf(await startSubscriber(shop)));
  for (const tester of testers) await boughtWith(tester, "sandbox");
  const standings = async () => Promise.all(testers.map(async (tester) => (await standing(tester)).state));
  for (let night = 0; night < 3; night += 1) {
    const { healed, findings } = await reconcile(billing, books);
    expect([healed, listedAs(findings).toSorted()]).toEqual([[], testers.toSorted()]);
    await shop.pass(dayMs);
  }
  // One more than they were told of.
  expect((await reconcile(billing, { ...books, testPurchases: 3 })).healed).toEqual([]);
  expect(await standings()).toEqual(["active", "active", "active", "active"]);
  expect((await reconcile(billing, { ...books, testPurchases: 4 })).healed).toHaveLength(4);
  expect(await standings()).toEqual(["ended", "ended", "ended", "ended"]);
  expect(await listFindings(billing.db)).toEqual([]);
});

test("support keeps such a workspace by a plan that is billed outside; one that is paid can't get one", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const [tester, customer] = [await ownerOf(await startSubscriber(shop)), await ownerOf(await startSubscriber(shop))];
  await boughtWith(tester, "stripe-test");
  await reconcile(billing, books);
  // The same plan, too.
  expect(await assignPlan(billing, tester, (await findSubscription(billing.db, tester))!.planId, null, "grace")).toBeNull();
  expect(await assignPlan(billing, customer, "enterprise-monthly", null, "grace")).toMatch(/pays for .* through stripe/);
  await shop.pass(dayMs);
  expect((await reconcile(billing, books)).healed).toEqual([]);
  expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
});

test("a service with test keys ends no plan that was bought with others", async () => {
  const { shop, billing, ownerOf, standing, boughtWith } = await openShop();
  const tester = await ownerOf(await startSubscriber(shop));
  await boughtWith(tester, "sandbox");
  const test = { ...billing, provider: { ...billing.provider, name: "stripe-test" } };
  await reconcile(test, { since: new Date(0) });
  expect(await standing(tester)).toEqual({ state: "active", desired: "running" });
});

test("while a gap in the database's memory is open, such a plan is listed, and a comparison after that ends it", async () => {
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
  await shop.pass(dayMs);
  expect((await reconcile(billing, { since: new Date(0) })).healed).toHaveLength(1);
  expect(await standing(tester)).toEqual({ state: "ended", desired: "stopped" });
});
