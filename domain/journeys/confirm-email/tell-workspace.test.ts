/** Changes to the owner's address reach a running workspace without waiting for its next look, which may be hours away. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertWorkspace } from "#domain/workspaces/workspace-store.ts";
import { hourMs } from "#platform/clock.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

/** A registration with a workspace whose next look is hours away. */
async function registerQuiet() {
  const { token, form } = await registerSomebody(api);
  const { db, pool } = api.database;
  const { rows } = await pool.query<{ account_id: string }>("select account_id from users where email = $1", [form.email]);
  const accountId = rows[0]!.account_id;
  const wanted = { accountId, engine: "n8n", version: "2.0.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" } as const;
  const id = await insertWorkspace(db, wanted, api.clock.now());
  await pool.query("update workspaces set reconcile_at = $2 where id = $1", [id, new Date(api.clock.now().getTime() + 6 * hourMs)]);
  const isDue = async () => {
    const found = await pool.query<{ due: boolean }>("select reconcile_at <= $2 as due from workspaces where id = $1", [
      id,
      api.clock.now(),
    ]);
    return found.rows[0]!.due;
  };
  return { token, form, isDue };
}

const ask = (path: string, body: object, token?: string) => {
  // The clock does not move between calls; the newest mail must be the newest.
  api.clock.advance(1);
  return api.call("POST", `/api/${path}`, { body, ...(token ? { token } : {}) });
};
const linkTo = async (email: unknown) => new URL(await api.newestLink(email)).searchParams;
const hasWorked = (status: number) => expect([200, 204]).toContain(status);

test("a workspace is told that its owner's address is confirmed, by whichever link", async () => {
  const byConfirmation = await registerQuiet();
  const { token, form } = byConfirmation;
  expect(await byConfirmation.isDue()).toBe(false);
  hasWorked((await ask("auth/confirm-email", { token: (await linkTo(form.email)).get("token") }, token)).statusCode);
  expect(await byConfirmation.isDue()).toBe(true);

  for (const ownBrowser of [true, false]) {
    const byMagicLink = await registerQuiet();
    const { email } = byMagicLink.form;
    await ask("user/magic-link", { email });
    const code = (await linkTo(email)).get("code");
    hasWorked((await ask("auth/login/code", { code }, ownBrowser ? byMagicLink.token : undefined)).statusCode);
    expect(await byMagicLink.isDue()).toBe(true);
  }

  const byReset = await registerQuiet();
  await ask("auth/forgot-password", { email: byReset.form.email });
  const reset = (await linkTo(byReset.form.email)).get("token");
  hasWorked((await ask("auth/reset-password", { token: reset, password: "of whoever reads there" })).statusCode);
  expect(await byReset.isDue()).toBe(true);
});

test("a workspace is told its owner's corrected address", async () => {
  const { token, form, isDue } = await registerQuiet();
  hasWorked((await ask("auth/change-email", { email: "corrected@example.com", password: form.password }, token)).statusCode);
  expect(await isDue()).toBe(true);
});
