/** What a session may do before its user has typed a password. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { loginKeyOf, mintLoginCode } from "#apps/provisioner/engines/n8n/workspace-side/people/login-code.mts";
import { createTestShop, germanDetails, previewChange, startSubscriber, type TestShop } from "#testing/payments/test-shop.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

test("a session opened by a workspace spends nothing until the password is confirmed", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const { previewId } = await previewChange(customer, "pro-1-monthly");
  await shop.api.database.pool.query(
    "update sessions set opened_by = 'workspace' where user_id = (select id from users where email = $1)",
    [customer.form["email"]],
  );
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

test("code in a workspace, with the owner's session that its key opens, neither reads nor changes what its customer is billed", async () => {
  const customer = await startSubscriber(shop, "starter-monthly");
  const { api } = shop;
  const saved = await customer.call("PUT", "/account/billing/details", { body: germanDetails });
  expect(saved.statusCode).toBe(200);
  const vouched = await openFromWorkspace(String(customer.form["accountName"]));
  const ask = async (method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) => {
    const answer = await api.call(method, `/api${path}`, { token: vouched, ...(body === undefined ? {} : { body }) });
    return [path, answer.statusCode, answer.json().code] as const;
  };
  const changed = { ...germanDetails, country: "US", name: "Mallory Inc.", vatId: "" };
  const [invoice] = await customer.invoices();
  const tries = [
    await ask("PUT", "/account/billing/details", changed),
    await ask("GET", "/account/billing/details"),
    await ask("GET", "/account/transactions"),
    await ask("GET", `/account/transactions/${invoice!.id}`),
    await ask("GET", `/account/transactions/${invoice!.id}/invoice`),
    await ask("GET", "/account/payments"),
    await ask("GET", "/account/payment-information"),
    await ask("GET", "/account/plan/next-payment"),
    await ask("GET", "/auth/sessions"),
    await ask("GET", "/account/invitations"),
    await ask("POST", "/account/invite-members", { emails: ["mallory@example.com"] }),
    await ask("PATCH", "/account/profile", { fullName: "Mallory" }),
    await ask("GET", "/instance/variables"),
    await ask("PUT", "/instance/variables", { revision: 0, variables: [] }),
    await ask("PUT", "/instance/restart"),
  ];
  expect(tries).toEqual(tries.map(([path]) => [path, 403, "password_needed"]));
  expect((await customer.call("GET", "/account/billing/details")).json()).toEqual(saved.json());
  expect((await api.call("GET", "/api/auth/me", { token: vouched })).json().user.fullName).toBe(customer.form["fullName"]);

  // The owner, who came from the editor, types the password; then the same call is carried out.
  const typed = await api.call("POST", "/api/auth/confirm-password", { token: vouched, body: { password: customer.form["password"] } });
  const confirmed = typed.cookies[0]!.value;
  expect((await api.call("GET", "/api/account/billing/details", { token: confirmed })).json().details.country).toBe("DE");
});

/** What any code in the workspace can do: it signs a code with the key in its environment, and uses it. */
async function openFromWorkspace(accountName: string): Promise<string> {
  const { api } = shop;
  const { rows } = await api.database.pool.query<{ id: string; secrets: string }>(
    `update workspaces set desired_state = 'running', observed_state = 'online', gateway_open = true
    where account_id = (select id from accounts where name = $1) returning id, secrets`,
    [accountName],
  );
  const { id, secrets } = rows[0]!;
  const { loginKey } = JSON.parse(api.services.secrets.decrypt(secrets, "workspace")) as { loginKey: string };
  const code = mintLoginCode(loginKeyOf(loginKey), id, api.clock.now().getTime());
  const opened = await api.call("POST", "/api/auth/login/code", { body: { code } });
  return (opened.json() as { token: string }).token;
}
