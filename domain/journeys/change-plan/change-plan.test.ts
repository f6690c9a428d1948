/** Upgrades, downgrades and custom quotas; clicked twice, in two tabs, too late. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs, minuteMs } from "#platform/clock.ts";
import { createTestShop, previewChange, startSubscriber, type Customer, type TestShop } from "#testing/payments/test-shop.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

test("an upgrade is charged as previewed, once, however often it is clicked", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const preview = await previewChange(customer, "pro-1-monthly");
  expect(preview).toMatchObject({ direction: "upgrade", timing: "now", planName: "Pro 10K" });
  expect(preview.dueNow.amount).toBeGreaterThan(0);
  const body = { planId: "pro-1-monthly", previewId: preview.previewId };
  const answers = await Promise.all([1, 2, 3].map(() => customer.pay("POST", "/account/plan/change", body, "one-click")));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(await customer.billing()).toMatchObject({ planId: "pro-1-monthly" });
  const paid = (await customer.payments()).map(({ amount }) => amount.amount);
  expect(paid).toHaveLength(2);
  expect(paid).toContain(preview.dueNow.amount);
});

test("of two tabs one changes the plan, and the other must preview it again", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const [one, two] = [await previewChange(customer, "pro-1-monthly"), await previewChange(customer, "pro-2-monthly")];
  const answers = await Promise.all([
    customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId: one.previewId }),
    customer.pay("POST", "/account/plan/change", { planId: "pro-2-monthly", previewId: two.previewId }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({ code: "preview_stale" });
  expect(await customer.payments()).toHaveLength(2);
});

test("a preview is for one plan, one account and a limited time", async () => {
  const [customer, other] = [await startSubscriber(shop, "starter-monthly"), await startSubscriber(shop, "starter-monthly")];
  const { previewId } = await previewChange(customer, "pro-1-monthly");
  const change = (who: Customer, planId: string, id = previewId) => who.pay("POST", "/account/plan/change", { planId, previewId: id });
  for (const answer of [
    await change(customer, "pro-2-monthly"),
    await change(other, "pro-1-monthly"),
    await change(customer, "pro-1-monthly", "made up"),
  ]) {
    expect(answer.json()).toMatchObject({ status: 409, code: "preview_stale" });
  }
  await shop.pass(dayMs);
  expect((await change(customer, "pro-1-monthly")).json()).toMatchObject({ code: "preview_stale" });
  expect(await customer.payments()).toHaveLength(1);
});

test("calls that move money need a key, and a key is for one request", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const { previewId } = await previewChange(customer, "pro-1-monthly");
  const calls = [
    ["POST", "/account/plan/change", { planId: "pro-1-monthly", previewId }],
    [
      "PATCH",
      "/account/plan/change/custom",
      { planId: "custom-monthly", quotas: { monthlyExecutions: 60_000, activeWorkflows: 60 }, previewId },
    ],
    ["POST", "/account/billing/cancel", { accountName: customer.form["accountName"] }],
    ["POST", "/account/billing/resubscribe", {}],
    ["POST", "/account/billing/retry", {}],
  ] as const;
  for (const [method, path, body] of calls) {
    const refused = (await customer.call(method, path, { body })).json();
    expect(refused, path).toMatchObject({ status: 422, errors: [{ path: "idempotency-key", code: "idempotency_key.required" }] });
    expect((await customer.pay(method, path, body, "x".repeat(65))).json()).toMatchObject({
      status: 422,
      errors: [{ code: "idempotency_key.invalid" }],
    });
  }
  expect((await customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId }, "mine")).statusCode).toBe(200);
  expect((await customer.pay("POST", "/account/plan/change", { planId: "pro-2-monthly", previewId }, "mine")).json()).toMatchObject({
    status: 409,
    code: "idempotency_key_reused",
  });
});

test("a downgrade waits for the period's end, says what stops working, and can be undone", async () => {
  const customer = await startSubscriber(shop, "pro-2-monthly");
  await shop.api.database.pool.query(
    "update workspaces set active_workflows = 12, usage_read_at = $2 where account_id = (select id from accounts where name = $1)",
    [customer.form["accountName"], shop.api.clock.now()],
  );
  const preview = await previewChange(customer, "starter-monthly");
  expect(preview).toMatchObject({ direction: "downgrade", timing: "period-end", dueNow: { amount: 0 } });
  expect(preview.stopsWorking.join(" ")).toMatch(/workflow/);
  expect((await customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", previewId: preview.previewId })).statusCode).toBe(
    200,
  );
  expect(await customer.subscription()).toMatchObject({
    planId: "pro-2-monthly",
    scheduledChange: { planId: "starter-monthly", planName: "Starter" },
  });
  expect((await customer.call("GET", "/user/plan")).json()).toMatchObject({ monthlyExecutionsLimit: 50_000 });
  expect((await customer.call("GET", "/account/plan/next-payment")).json().nextPayment).toMatchObject({
    amount: preview.nextRenewal.amount,
  });
  expect((await customer.pay("DELETE", "/account/plan/change")).statusCode).toBe(200);
  expect(await customer.subscription()).toMatchObject({ planId: "pro-2-monthly", scheduledChange: null });
});

const quotaCases: [what: string, quotas: unknown, errors: object[]][] = [
  [
    "left out",
    {},
    [
      { path: "quotas.monthlyExecutions", code: "quota.required", message: "Enter a number." },
      { path: "quotas.activeWorkflows", code: "quota.required" },
    ],
  ],
  [
    "not numeric",
    { monthlyExecutions: "many", activeWorkflows: 1.5 },
    [
      { path: "quotas.monthlyExecutions", code: "quota.numeric" },
      { path: "quotas.activeWorkflows", code: "quota.numeric" },
    ],
  ],
  [
    "too small",
    { monthlyExecutions: 1000, activeWorkflows: 1 },
    [
      { path: "quotas.monthlyExecutions", code: "quota.too_small" },
      { path: "quotas.activeWorkflows", code: "quota.too_small" },
    ],
  ],
  ["too large", { monthlyExecutions: 2_000_000, activeWorkflows: 60 }, [{ path: "quotas.monthlyExecutions", code: "quota.too_large" }]],
  ["between two steps", { monthlyExecutions: 60_500, activeWorkflows: 60 }, [{ path: "quotas.monthlyExecutions", code: "quota.step" }]],
];

test.each(quotaCases)("custom quotas that are %s are refused field by field", async (_what, quotas, errors) => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const answer = await customer.call("POST", "/account/plan/change/custom/preview", { body: { planId: "custom-monthly", quotas } });
  expect(answer.json()).toMatchObject({ status: 422, code: "validation_failed", errors });
});

test("custom quotas are priced, granted and shown", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const quotas = { monthlyExecutions: 60_000, activeWorkflows: 60 };
  const { preview } = (
    await customer.call("POST", "/account/plan/change/custom/preview", { body: { planId: "custom-monthly", quotas } })
  ).json();
  expect(
    (await customer.pay("PATCH", "/account/plan/change/custom", { planId: "custom-monthly", quotas, previewId: preview.previewId }))
      .statusCode,
  ).toBe(200);
  expect(await customer.subscription()).toMatchObject({ planId: "custom-monthly", quotas });
  expect((await customer.call("GET", "/user/plan")).json()).toMatchObject({ monthlyExecutionsLimit: 60_000, activeWorkflowsLimit: 60 });
});

test("a smaller plan that begins now asks for the password, since executions are deleted; the same click then changes the plan", async () => {
  const customer = await startSubscriber(shop, "pro-1-monthly");
  await shop.pass(10 * minuteMs);
  const { previewId, timing } = await previewChange(customer, "starter-monthly", "now");
  expect(timing).toBe("now");
  const change = () => customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", timing: "now", previewId }, "one-click");
  expect((await change()).json()).toMatchObject({ status: 403, code: "password_needed" });
  expect(await customer.billing()).toMatchObject({ planId: "pro-1-monthly" });
  await customer.signIn();
  expect((await change()).statusCode).toBe(200);
  expect(await customer.billing()).toMatchObject({ planId: "starter-monthly" });
});

test("a smaller plan asks for the password if it begins too soon for its mail to be read and the change to be withdrawn", async () => {
  const customer = await startSubscriber(shop, "pro-1-monthly");
  const { rows } = await shop.api.database.pool.query<{ ends: Date }>(
    "select period_ends_at as ends from subscriptions s join accounts a on a.id = s.account_id where a.name = $1",
    [customer.form["accountName"]],
  );
  await shop.pass(rows[0]!.ends.getTime() - shop.api.clock.now().getTime() - 8 * dayMs);
  await customer.signIn();
  const schedule = async (key: string) => {
    const { previewId, timing } = await previewChange(customer, "starter-monthly");
    expect(timing).toBe("period-end");
    return customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", previewId }, key);
  };
  await shop.pass(10 * minuteMs);
  expect((await schedule("8-days-ahead")).statusCode).toBe(200);
  expect((await customer.pay("DELETE", "/account/plan/change")).statusCode).toBe(200);
  await shop.pass(2 * dayMs);
  expect((await schedule("6-days-ahead")).json()).toMatchObject({ status: 403, code: "password_needed" });
  expect(await customer.subscription()).toMatchObject({ scheduledChange: null });
  await customer.signIn();
  expect((await schedule("6-days-ahead-typed")).statusCode).toBe(200);
});

test("the same for a plan of one's own choice; what begins at the period's end or keeps as much asks for nothing", async () => {
  const customer = await startSubscriber(shop, "pro-1-monthly");
  await shop.pass(10 * minuteMs);
  const up = await previewChange(customer, "pro-2-monthly");
  expect((await customer.pay("POST", "/account/plan/change", { planId: "pro-2-monthly", previewId: up.previewId })).statusCode).toBe(200);
  await shop.api.database.pool.query(
    "update subscriptions s set spec_id = 'enterprise' from accounts a where a.id = s.account_id and a.name = $1",
    [customer.form["accountName"]],
  );
  const quotas = { monthlyExecutions: 60_000, activeWorkflows: 50 };
  const custom = { planId: "custom-monthly", quotas, timing: "now" };
  const { preview } = (await customer.call("POST", "/account/plan/change/custom/preview", { body: custom })).json();
  const answer = await customer.pay("PATCH", "/account/plan/change/custom", { ...custom, previewId: preview.previewId });
  expect(answer.json()).toMatchObject({ code: "password_needed" });
  const later = await previewChange(customer, "starter-monthly");
  expect(later.timing).toBe("period-end");
  expect((await customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", previewId: later.previewId })).statusCode).toBe(
    200,
  );
});
