/** Accounts whose address is never confirmed end; no other account does. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dayMs } from "#platform/clock.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";
import { endUnconfirmedAccounts } from "./end-unconfirmed-accounts.ts";

const days = 14;
let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());
// Each test's accounts are the only ones old enough.
beforeEach(() => api.clock.advance(2 * days * dayMs));

const sweep = () => endUnconfirmedAccounts(api.services.db, api.clock.now(), days);
const query = async <Row>(text: string, values: unknown[]) => (await api.database.pool.query(text, values)).rows as Row[];
const exists = async (name: unknown) => (await query("select 1 from accounts where name = $1", [name])).length > 0;
const isOld = () => api.clock.advance(days * dayMs);

test("an account that was never confirmed ends after its days, and not before; name and address can be registered again", async () => {
  const { form, token } = await registerSomebody(api);
  await api.call("POST", "/api/personalization-survey/answer", { token, body: { companySize: "<20" } });
  await api.call("POST", "/api/account/invite-members", { token, body: { emails: ["friend@example.com"] } });
  api.clock.advance(days * dayMs - 1);
  await sweep();
  expect(await exists(form.accountName)).toBe(true);
  api.clock.advance(1);
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(await exists(form.accountName)).toBe(false);
  expect(await query("select 1 from users where email = $1", [form.email])).toEqual([]);
  expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(401);
  expect((await api.call("GET", `/api/auth/account-name/${form.accountName}`)).json()).toEqual({ available: true });
  const again = await registerSomebody(api, { accountName: form.accountName, email: form.email, emailConfirmation: form.email });
  expect(again.token).not.toBe(token);
  // On record once, beside what the account did; the record outlives it.
  const rows = await query<{ action: string }>(
    "select action from audit_log where account_id = (select account_id from audit_log where action = 'account.ended' and before ->> 'accountName' = $1) order by id",
    [form.accountName],
  );
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(["account.registered", "account.ended"]));
  expect(rows.filter(({ action }) => action === "account.ended")).toHaveLength(1);
});

test("an account that has confirmed its address never ends", async () => {
  const { form } = await registerConfirmed(api);
  isOld();
  await sweep();
  expect(await exists(form.accountName)).toBe(true);
});

/** An operator took the confirmation back: the panel launches nothing before it. */
async function workspaceOf(accountName: unknown, state: string) {
  const ofAccount = "account_id = (select id from accounts where name = $1)";
  await api.database.pool.query(`update users set confirmed_at = null where ${ofAccount}`, [accountName]);
  await api.database.pool.query(`update workspaces set generation = generation${state} where ${ofAccount}`, [accountName]);
}

test.each([
  ["a workspace", (accountName: unknown) => workspaceOf(accountName, "")],
  ["a deleted workspace", (accountName: unknown) => workspaceOf(accountName, ", desired_state = 'deleted', observed_state = 'deleted'")],
  [
    "a card",
    (accountName: unknown) =>
      api.database.pool.query("insert into cards (account_id, brand, last_four) select id, 'visa', '4242' from accounts where name = $1", [
        accountName,
      ]),
  ],
  [
    "a publisher",
    (accountName: unknown) =>
      api.database.pool.query("update users set kind = 'publisher' where account_id = (select id from accounts where name = $1)", [
        accountName,
      ]),
  ],
] as const)("an unconfirmed account with %s never ends", async (what, prepare) => {
  const { form } = what.endsWith("workspace") ? await setUpOwner(api) : await registerSomebody(api);
  await prepare(form["accountName"]);
  isOld();
  await sweep();
  expect(await exists(form.accountName)).toBe(true);
});

test("one that is being confirmed or launched at that moment stays, and the sweep does not wait for it", async () => {
  const [confirming, launching] = [await registerSomebody(api), await registerSomebody(api)];
  isOld();
  const holder = await api.database.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from users where email = $1 for update", [confirming.form.email]);
  await holder.query("select 1 from accounts where name = $1 for key share", [launching.form.accountName]);
  await sweep();
  await holder.query("update users set confirmed_at = now() where email = $1", [confirming.form.email]);
  await holder.query("commit");
  holder.release();
  expect([await exists(confirming.form.accountName), await exists(launching.form.accountName)]).toEqual([true, true]);
  await sweep();
  expect([await exists(confirming.form.accountName), await exists(launching.form.accountName)]).toEqual([true, false]);
});

test("of confirming and ending at the same moment, one happens", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { form, token } = await registerSomebody(api);
    isOld();
    const link = await api.call("POST", "/api/auth/login", { body: { login: form.email, password: form.password } });
    const session = link.json<{ token: string }>().token;
    await api.call("POST", "/api/auth/resend-confirmation", { token: session });
    const confirmation = new URL(await api.newestLink(form.email)).searchParams.get("token");
    const [confirmed] = await Promise.all([
      api.call("POST", "/api/auth/confirm-email", { token: session, body: { token: confirmation } }),
      sweep(),
    ]);
    expect(await exists(form.accountName)).toBe(confirmed.statusCode === 200);
    expect(token).not.toBe(session);
  }
});
