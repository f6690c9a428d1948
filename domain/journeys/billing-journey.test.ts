/** A customer's first year, through our API alone, with each payment provider. */
import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { accounts, checkouts, corrections, subscriptions, workspaces } from "#database/tables.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { eachProvider } from "#testing/payments/each-provider.ts";
import { buy, checkoutRequest } from "#testing/payments/provider-suite/provider-customer.ts";
import type { SuiteCard } from "#testing/payments/provider-suite/provider-harness.ts";
import {
  createTestShop,
  payAt,
  previewChange,
  startCustomer,
  type Customer,
  type Network,
  type TestShop,
} from "#testing/payments/test-shop.ts";

interface Story {
  shop: TestShop;
  customer: Customer;
  /** Charges so far, oldest first; minor units. */
  charged: number[];
}

async function openStory(open: (typeof eachProvider)[number][1]): Promise<Story> {
  const shop = await createTestShop({}, open);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  return { shop, customer: await startCustomer(shop), charged: [] };
}

/** The subscription's row, for what the calls do not show: the provider's customer, and the workspace's desired state. */
async function heldBy({ shop, customer }: Story) {
  const rows = await shop.api.database.db
    .select({ subscription: subscriptions, desired: workspaces.desiredState })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .innerJoin(workspaces, eq(workspaces.accountId, accounts.id))
    .where(eq(accounts.name, String(customer.form["accountName"])));
  return rows[0]!;
}

const corrected = async ({ shop }: Story) =>
  (await shop.api.database.db.select({ kind: corrections.kind }).from(corrections)).map(({ kind }) => kind);
const subjects = async ({ customer }: Story) => (await customer.mails()).map(({ subject }) => subject);

/** Delivers events under these network conditions from now on. */
async function arrive({ shop }: Story, network: Network): Promise<void> {
  shop.network = network;
  await shop.catchUp();
}

/** Lets time pass, then signs the customer in again: a session lasts thirty days. */
async function passUntil({ shop, customer }: Story, at: Date): Promise<void> {
  await shop.pass(at.getTime() - shop.api.clock.now().getTime());
  await customer.signIn();
}

const byAmount = (amounts: number[]) => amounts.toSorted((one, other) => one - other);

/** We list exactly what the provider charged, once each. Every invoice opens: ours as a PDF, a seller's at the provider. */
async function expectBooks(story: Story): Promise<void> {
  const { shop, customer, charged } = story;
  const { provider } = shop.harness;
  const succeeded = async () =>
    byAmount((await customer.payments()).filter(({ status }) => status === "succeeded").map(({ amount }) => amount.amount));
  // A list does not wait long for the provider: on a busy machine it takes a second request.
  await expect.poll(succeeded).toEqual(byAmount(charged));
  const transactions = await customer.invoices();
  const paid = transactions.filter(({ status, hasInvoice, total }) => total.amount > 0 && status === "paid" && hasInvoice);
  expect(byAmount(paid.map(({ total }) => total.amount))).toEqual(byAmount(charged));
  const theirs = await provider.listInvoices((await heldBy(story)).subscription.providerCustomerId!);
  expect(byAmount(theirs.filter(({ status, total }) => status === "paid" && total.amount > 0).map(({ total }) => total.amount))).toEqual(
    byAmount(charged),
  );
  const answer = await customer.call("GET", `/account/transactions/${paid[0]!.id}/invoice`);
  if (provider.isSeller)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, expect.stringMatching(/^https:\/\/paddle\.example\/invoices\//)]);
  else {
    expect([answer.statusCode, answer.headers["content-type"], answer.rawPayload.subarray(0, 5).toString()]).toEqual([
      200,
      "application/pdf",
      "%PDF-",
    ]);
    expectNoGaps(paid.map(({ number }) => number!));
  }
}

/** Numbers start at one each year. */
function expectNoGaps(numbers: string[]): void {
  for (const [year, counted] of Map.groupBy(numbers, (number) => number.slice(0, 4))) {
    expect(counted.toSorted()).toEqual(counted.map((_number, index) => `${year}-${String(index + 1).padStart(6, "0")}`));
  }
}

/** The account, its subscription and its limits agree. */
async function expectOn({ customer }: Story, planId: string, executions: number): Promise<void> {
  expect(await customer.billing()).toMatchObject({ status: "active", planId });
  expect(await customer.subscription()).toMatchObject({ status: "active", planId, scheduledChange: null, retries: [], deletionAt: null });
  expect((await customer.call("GET", "/user/plan")).json()).toMatchObject({ monthlyExecutionsLimit: executions });
  expect((await customer.call("HEAD", "/account/billing/active")).statusCode).toBe(200);
}

/** Opens a plan's page and pays there; the customer has not returned yet, and no event has arrived. */
async function payFor({ shop, customer, charged }: Story, planId: string, card: SuiteCard): Promise<void> {
  const link = await customer.pay("POST", `/v1/paddle/plan/${planId}/generatePayLink`, {});
  expect(link.statusCode, link.body).toBe(200);
  expect(await customer.billing()).toBeNull();
  expect(await payAt(shop, link.json().url, card)).toBe("paid");
  // Pro, plus 19 % tax.
  charged.push(7140);
}

const comeBack = (customer: Customer, planId: string) => customer.call("POST", "/account/complete-checkout", { body: { planId } });

/** Changes now, with a double click; the previewed sum is what is paid. */
async function changeNow({ customer, charged }: Story, planId: string): Promise<void> {
  const preview = await previewChange(customer, planId);
  expect(preview).toMatchObject({ direction: "upgrade", timing: "now" });
  const key = `to-${planId}`;
  const answers = await Promise.all(
    [1, 2].map(() => customer.pay("POST", "/account/plan/change", { planId, previewId: preview.previewId }, key)),
  );
  expect(
    answers.map(({ statusCode }) => statusCode),
    answers[0]!.body,
  ).toEqual([200, 200]);
  charged.push(preview.dueNow.amount);
}

async function changeQuotas({ customer, charged }: Story, quotas: { monthlyExecutions: number; activeWorkflows: number }): Promise<void> {
  const wanted = { planId: "custom-yearly", quotas };
  const { preview } = (await customer.call("POST", "/account/plan/change/custom/preview", { body: wanted })).json();
  expect(preview).toMatchObject({ direction: "upgrade", timing: "now" });
  expect(preview.dueNow.amount).toBeGreaterThan(0);
  const answer = await customer.pay("PATCH", "/account/plan/change/custom", { ...wanted, previewId: preview.previewId });
  expect(answer.statusCode, answer.body).toBe(200);
  charged.push(preview.dueNow.amount);
}

async function enterCard({ shop, customer }: Story, card: SuiteCard): Promise<void> {
  const { url } = (await customer.call("POST", "/account/payment-information/change", { body: {} })).json();
  expect(await shop.harness.enterCard(url, card)).toBe("kept");
}

/** Trial, its warning, and a checkout with 3-D Secure; the events arrive twice, before the customer returns. */
async function tryAndBuy(story: Story): Promise<void> {
  const { shop, customer } = story;
  expect(await customer.billing()).toBeNull();
  await shop.pass(11 * dayMs + hourMs);
  expect(await subjects(story)).toEqual(expect.arrayContaining([expect.stringMatching(/^Your trial ends/)]));
  await payFor(story, "pro-1-monthly", "confirm-first");
  await arrive(story, "doubled");
  await expectOn(story, "pro-1-monthly", 10_000);
  expect((await comeBack(customer, "pro-1-monthly")).json().user.account.billing).toMatchObject({
    status: "active",
    planId: "pro-1-monthly",
  });
  await expectBooks(story);
}

/** The month's renewal, whose events never arrive. */
async function renewUnheard(story: Story): Promise<void> {
  const { periodEndsAt } = await story.customer.subscription();
  story.shop.network = "lost";
  await passUntil(story, after(new Date(periodEndsAt!), dayMs));
  story.charged.push(7140);
  expect(new Date((await story.customer.subscription()).periodEndsAt!).getTime()).toBeGreaterThan(
    new Date(periodEndsAt!).getTime() + 27 * dayMs,
  );
  expect(await corrected(story)).toContain("missed-event");
  await expectOn(story, "pro-1-monthly", 10_000);
  await expectBooks(story);
}

/** Monthly to yearly, up, and to custom quotas, twice. */
async function grow(story: Story): Promise<void> {
  const { shop, customer } = story;
  shop.network = "doubled";
  await shop.pass(3 * dayMs);
  await changeNow(story, "pro-1-yearly");
  await shop.catchUp();
  expect(new Date((await customer.subscription()).periodEndsAt!).getTime() - shop.api.clock.now().getTime()).toBeGreaterThan(364 * dayMs);
  await expectOn(story, "pro-1-yearly", 10_000);
  await expectBooks(story);
  await shop.pass(3 * dayMs);
  await changeNow(story, "pro-2-yearly");
  await arrive(story, "reversed");
  await expectOn(story, "pro-2-yearly", 50_000);
  await expectBooks(story);
  for (const quotas of [
    { monthlyExecutions: 60_000, activeWorkflows: 60 },
    { monthlyExecutions: 80_000, activeWorkflows: 80 },
  ]) {
    await shop.pass(dayMs);
    await changeQuotas(story, quotas);
    await shop.catchUp();
    await expectOn(story, "custom-yearly", quotas.monthlyExecutions);
    expect(await customer.subscription()).toMatchObject({ quotas });
    expect((await customer.call("GET", "/user/plan")).json()).toMatchObject({ activeWorkflowsLimit: quotas.activeWorkflows });
    await expectBooks(story);
  }
}

/** Down at the period's end; undone, and chosen again. */
async function shrink({ customer }: Story): Promise<void> {
  const choose = async () => {
    const preview = await previewChange(customer, "pro-1-monthly");
    expect(preview).toMatchObject({ direction: "downgrade", timing: "period-end", dueNow: { amount: 0 } });
    expect((await customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId: preview.previewId })).statusCode).toBe(
      200,
    );
    expect(await customer.subscription()).toMatchObject({ planId: "custom-yearly", scheduledChange: { planId: "pro-1-monthly" } });
  };
  await choose();
  expect((await customer.pay("DELETE", "/account/plan/change")).statusCode).toBe(200);
  expect(await customer.subscription()).toMatchObject({ planId: "custom-yearly", scheduledChange: null });
  await choose();
}

/** The card fails at the renewal of the new plan, and no event arrives; nothing can be changed until another card has paid. */
async function owe(story: Story): Promise<void> {
  const { shop, customer, charged } = story;
  await enterCard(story, "renewal-soft");
  const end = new Date((await customer.subscription()).periodEndsAt!);
  await passUntil(story, after(end, -hourMs));
  // A provider that is locked just before a renewal is told earlier.
  const lockedMs = shop.harness.provider.lockedBeforeRenewalMs;
  expect((await customer.subscription()).changesCloseAt).toBe(lockedMs > 0 ? after(end, -lockedMs).toISOString() : null);
  expect((await customer.call("GET", "/user/plan")).json()).toMatchObject({ monthlyExecutionsLimit: 80_000 });
  await expectBooks(story);
  shop.network = "lost";
  await passUntil(story, after(end, dayMs));
  expect(await customer.billing()).toMatchObject({ status: "past_due", planId: "pro-1-monthly" });
  expect((await customer.subscription()).retries).toEqual(expect.arrayContaining([expect.objectContaining({ outcome: "failed" })]));
  expect((await customer.call("HEAD", "/account/billing/active")).statusCode).toBe(404);
  expect((await customer.call("POST", "/account/plan/change/preview", { body: { planId: "pro-2-monthly" } })).json()).toMatchObject({
    status: 409,
    code: "update_billing_first",
  });
  expect(await subjects(story)).toContain("Your payment failed");
  expect((await customer.payments())[0]).toMatchObject({ status: "failed", reason: expect.any(String) });
  expect((await customer.pay("POST", "/account/billing/retry", {})).json()).toMatchObject({
    code: shop.harness.triesOnRequest ? "payment_declined" : "payment_action_required",
  });
  await expectBooks(story);

  await arrive(story, "good");
  await enterCard(story, "mastercard");
  await shop.catchUp();
  // Some providers try a new card immediately, some only on request.
  if ((await customer.billing())!.status === "past_due")
    expect((await customer.pay("POST", "/account/billing/retry", {})).statusCode).toBe(200);
  charged.push(7140);
  await expectOn(story, "pro-1-monthly", 10_000);
  expect((await customer.call("GET", "/account/payment-information")).json().paymentInformation).toMatchObject({
    brand: "mastercard",
    expired: false,
  });
  await expectBooks(story);
}

/** Cancels, comes back, cancels again; the paid period runs to its end, then the workspace is deleted. */
async function leave(story: Story): Promise<void> {
  const { shop, customer } = story;
  const cancel = () => customer.pay("POST", "/account/billing/cancel", { accountName: customer.form["accountName"] });
  const { periodEndsAt } = await customer.subscription();
  expect((await cancel()).statusCode).toBe(200);
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "active", cancelAt: periodEndsAt });
  expect((await customer.call("GET", "/account/plan/next-payment")).json()).toEqual({ nextPayment: null });
  expect((await customer.pay("POST", "/account/billing/resubscribe", {})).json()).toMatchObject({ url: null });
  await arrive(story, "reversed");
  expect(await customer.subscription()).toMatchObject({ status: "active", cancelAt: null });
  expect((await cancel()).statusCode).toBe(200);

  await passUntil(story, after(new Date(periodEndsAt!), -hourMs));
  await expectOn(story, "pro-1-monthly", 10_000);
  expect((await heldBy(story)).desired).toBe("running");
  shop.network = "lost";
  await passUntil(story, after(new Date(periodEndsAt!), hourMs));
  expect(await customer.billing()).toMatchObject({ status: "deleted" });
  // At the period's end, as announced.
  expect(await customer.subscription()).toMatchObject({ deletionAt: null });
  expect((await heldBy(story)).desired).toBe("deleted");
  expect(await subjects(story)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Your plan ends/), expect.stringMatching(/^Your plan has ended: .* is being deleted$/)]),
  );
  expect((await subjects(story)).filter((subject) => / (was|will be) deleted/.test(subject))).toEqual([]);
  // What a worker does.
  await shop.api.database.pool.query("update workspaces set observed_state = 'deleted', observed_version = null");
  await passUntil(story, after(new Date(periodEndsAt!), 4 * hourMs));
  expect((await subjects(story)).at(-1)).toMatch(/was deleted$/);
  await expectBooks(story);
}

describe.each(eachProvider)("%s", (_name, open) => {
  test(
    "a first year through the API, however events arrive: what is paid is granted, listed and invoiced exactly once",
    { timeout: 15 * minuteMs },
    async () => {
      const story = await openStory(open);
      await tryAndBuy(story);
      await renewUnheard(story);
      await grow(story);
      await shrink(story);
      await owe(story);
      await leave(story);
      expect(new Set(await corrected(story))).toEqual(new Set(["missed-event"]));
    },
  );

  test("buying and immediately giving up a million executions is charged: the smaller plan applies, and nothing is refunded", async () => {
    const story = await openStory(open);
    const { shop, customer, charged } = story;
    await payFor(story, "pro-1-monthly", "visa");
    await comeBack(customer, "pro-1-monthly");
    const wanted = { planId: "custom-monthly", quotas: { monthlyExecutions: 1_000_000, activeWorkflows: 50 } };
    const { preview: up } = (await customer.call("POST", "/account/plan/change/custom/preview", { body: wanted })).json();
    expect(up.dueNow.amount).toBeGreaterThan(100_000);
    expect((await customer.pay("PATCH", "/account/plan/change/custom", { ...wanted, previewId: up.previewId })).statusCode).toBe(200);
    charged.push(up.dueNow.amount);
    expect(await previewChange(customer, "starter-monthly")).toMatchObject({
      timing: "period-end",
      dueNow: { amount: 0 },
      creditAfter: { amount: 0 },
    });
    const down = await previewChange(customer, "starter-monthly", "now");
    expect(down).toMatchObject({ direction: "downgrade", timing: "now", dueNow: { amount: 0 }, creditAfter: { amount: 0 }, lines: [] });
    expect(down.stopsWorking[0]).toMatch(/^Time you have already paid for, until \d+ \w+ \d{4}, is not refunded\./);
    expect(
      (await customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", timing: "now", previewId: down.previewId }))
        .statusCode,
    ).toBe(200);
    await shop.catchUp();
    await expectOn(story, "starter-monthly", 2500);
    expect(await shop.harness.provider.readSubscription((await heldBy(story)).subscription.providerSubscriptionId!)).toMatchObject({
      credit: { amount: 0 },
    });
    expect((await customer.call("GET", "/account/plan/next-payment")).json().nextPayment).toMatchObject({
      amount: down.nextRenewal.amount,
    });
    expect(await subjects(story)).toContain("Your plan is now Starter");
    await expectBooks(story);
  });

  test.each(["refundNewest", "disputeNewest"] as const)(
    "money of the running period taken back by %s ends the plan, however its event arrives; bought again, it runs",
    async (taken) => {
      for (const network of ["doubled", "lost"] as const) {
        const story = await openStory(open);
        const { shop, customer } = story;
        await payFor(story, "pro-1-monthly", "visa");
        await comeBack(customer, "pro-1-monthly");
        const { subscription } = await heldBy(story);
        await shop.harness[taken](subscription.providerCustomerId!);
        await arrive(story, network);
        // Without an event the weekly check finds it.
        if (network === "lost") await shop.pass(8 * dayMs);
        expect(await customer.subscription()).toMatchObject({ status: "deleted", deletionAt: expect.any(String) });
        expect((await heldBy(story)).desired).toBe("stopped");
        expect(await shop.harness.provider.readSubscription(subscription.providerSubscriptionId!)).toMatchObject({ status: "deleted" });
        expect((await customer.invoices()).filter(({ total }) => total.amount > 0).map(({ status }) => status)).toEqual([
          taken === "refundNewest" ? "refunded" : "disputed",
        ]);
        expect((await subjects(story)).filter((subject) => subject === "Your plan has ended: your workspace is stopped")).toHaveLength(1);
        const { url } = (await customer.pay("POST", "/account/billing/resubscribe", {})).json();
        expect(await payAt(shop, url)).toBe("paid");
        await comeBack(customer, "pro-1-monthly");
        await arrive(story, "good");
        await expectOn(story, "pro-1-monthly", 10_000);
        expect((await heldBy(story)).desired).toBe("running");
      }
    },
  );

  test("after a double payment, one is refunded automatically: listed as refunded and announced by mail, and the plan stays", async () => {
    const story = await openStory(open);
    await payFor(story, "pro-1-monthly", "visa");
    await comeBack(story.customer, "pro-1-monthly");
    const { subscription } = await heldBy(story);
    // A page that was loaded in another window before the first one was paid.
    const { provider } = story.shop.harness;
    const page = await provider.createCheckout(
      checkoutRequest({ accountId: subscription.accountId, email: String(story.customer.form["email"]), purchase: buy("starter-monthly") }),
      "another window",
    );
    await story.shop.api.database.db.insert(checkouts).values({
      ...page,
      provider: provider.name,
      accountId: subscription.accountId,
      planId: "starter-monthly",
      currency: "USD",
      state: "closing",
      createdAt: story.shop.api.clock.now(),
    });
    expect(await story.shop.harness.pay(page, "visa")).toBe("paid");
    await arrive(story, "doubled");
    const twice = (await provider.readCheckout(page.checkoutId)).subscriptionId!;
    expect(await provider.readSubscription(twice)).toMatchObject({ status: "deleted" });
    await story.shop.harness.agreeToRefunds();
    await story.shop.catchUp();
    const refunded = (await story.customer.invoices()).filter(({ status }) => status === "refunded");
    expect(refunded.map(({ total }) => total)).toEqual([{ amount: 2856, currency: "USD" }]);
    expect((await story.customer.payments()).filter(({ status }) => status === "refunded")).toHaveLength(1);
    expect((await subjects(story)).filter((subject) => subject === "You paid twice: we are refunding one payment")).toHaveLength(1);
    await expectBooks(story);
    await expectOn(story, "pro-1-monthly", 10_000);
    expect((await heldBy(story)).subscription.providerSubscriptionId).toBe(subscription.providerSubscriptionId);
  });

  test("paid, and no event: a returning customer has the plan immediately, any other from the check of open pages", async () => {
    const story = await openStory(open);
    story.shop.network = "lost";
    await payFor(story, "pro-1-monthly", "visa");
    const answers = await Promise.all([1, 2].map(() => comeBack(story.customer, "pro-1-monthly")));
    expect(answers.map((answer) => answer.json().user.account.billing.status)).toEqual(["active", "active"]);
    await expectBooks(story);
    const other = { ...story, customer: await startCustomer(story.shop), charged: [] };
    await payFor(other, "pro-1-monthly", "visa");
    await story.shop.pass(16 * minuteMs);
    await expectOn(other, "pro-1-monthly", 10_000);
  });
});
