/** What a session may do before its user has typed a password. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, previewChange, startSubscriber, type TestShop } from "#testing/payments/test-shop.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

test("a session opened by a workspace shows bills, and spends nothing until the password is confirmed", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  await shop.api.database.pool.query(
    "update sessions set opened_by = 'workspace' where user_id = (select id from users where email = $1)",
    [customer.form["email"]],
  );
  expect(await customer.invoices()).toHaveLength(1);
  const { previewId } = await previewChange(customer, "pro-1-monthly");
  const change = () => customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId }, "vouched");
  const refused = [
    await change(),
    await customer.pay("PATCH", "/account/plan/change/custom", {
      planId: "custom-monthly",
      quotas: { monthlyExecutions: 60_000, activeWorkflows: 60 },
      previewId,
    }),
    await customer.pay("DELETE", "/account/plan/change"),
    await customer.pay("POST", "/account/billing/cancel", { accountName: customer.form["accountName"] }),
    await customer.pay("POST", "/account/billing/resubscribe", {}),
    await customer.pay("POST", "/account/billing/retry", {}),
    await customer.call("POST", "/account/payment-information/change", { body: {} }),
  ];
  expect(refused.map((answer) => answer.json())).toEqual(
    refused.map(() => expect.objectContaining({ status: 403, code: "password_needed" })),
  );
  expect((await customer.call("POST", "/auth/confirm-password", { body: { password: "wrong" } })).json()).toMatchObject({
    code: "wrong_password",
    errors: [{ path: "password" }],
  });
  expect((await change()).statusCode).toBe(403);
  const confirmed = await customer.call("POST", "/auth/confirm-password", { body: { password: customer.form["password"] } });
  expect(confirmed.statusCode).toBe(204);
  // The session's old token no longer works.
  expect((await change()).json()).toMatchObject({ status: 401, code: "session_expired" });
  expect(confirmed.cookies[0]).toMatchObject({ name: "token", httpOnly: true, maxAge: expect.any(Number) });
  const again = await customer.call("POST", "/account/plan/change", {
    body: { planId: "pro-1-monthly", previewId },
    headers: { cookie: `token=${confirmed.cookies[0]!.value}`, "idempotency-key": "vouched" },
  });
  expect(again.statusCode).toBe(200);
});
