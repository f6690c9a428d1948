/** The one rule for danger: what destroys or replaces a customer's data, or signs others out, needs a recently typed password. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import { asksPassword, destroysWith } from "#contract/session-rights.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { minuteMs } from "#platform/clock.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

type RouteName = keyof typeof routes;
/** Each dangerous call, with a body that the service would otherwise act on. */
const dangers = {
  closeAccount: (accountName) => ({ accountName }),
  deleteInstance: (accountName) => ({ accountName }),
  restoreBackup: (accountName) => ({ accountName }),
  rollBackInstance: (accountName) => ({ accountName }),
  deleteBackup: () => undefined,
  endSession: () => undefined,
  endOtherSessions: () => undefined,
} as const satisfies Partial<Record<RouteName, (accountName: string) => object | undefined>>;

/** Calls that destroy data with some bodies only: tested where these are known. */
const conditional: Partial<Record<RouteName, string>> = {
  changeInstance: "domain/journeys/workspace-settings/change-settings.test.ts",
  changePlan: "domain/journeys/change-plan/change-plan.test.ts",
  changeCustomPlan: "domain/journeys/change-plan/change-plan.test.ts",
};

/** Calls that sound dangerous and are not, or that ask for more. */
const others: Partial<Record<RouteName, string>> = {
  deleteExport: "a copy of what is there; the next export is the same",
  cancelScheduledChange: "withdraws what has not happened",
  cancelSubscription: "can be taken back until the paid period ends, and a mail says so; workspaces' sessions are refused",
  withdrawEmailChange: "withdraws what has not happened",
  revokeInvitation: "can be invited again",
  reopenAccount: "brings everything back",
  forgetTemplate: "nothing of the customer's",
  restoreFirstDays: "nothing of the customer's",
  dismissFirstDays: "nothing of the customer's",
  resetPassword: "proved by a mailed link",
};

test("each call that deletes, ends, restores, rolls back or resets something is in one of the two lists", () => {
  const sounds = /^(delete|remove|end|restore|rollBack|reset|revoke|withdraw|cancel|close|erase|purge)[A-Z]/;
  const found = Object.entries(routes)
    .filter(([name, { method }]) => method === "DELETE" || sounds.test(name))
    .map(([name]) => name);
  expect(found.toSorted()).toEqual([...Object.keys(dangers), ...Object.keys(others)].toSorted());
});

test("a call that destroys data with some bodies only is in the table, and in the file that tests it", () => {
  expect(Object.keys(destroysWith).toSorted()).toEqual(Object.keys(conditional).toSorted());
  for (const [name, file] of Object.entries(conditional)) {
    expect(asksPassword(routes[name as RouteName])).toBe(true);
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8"), name).toContain("password_needed");
  }
});

/** A call of an owner, to a workspace, a backup or a session of theirs. */
async function prepare(name: keyof typeof dangers) {
  const { token, accountName, accountId, workspaceId, form } = await setUpOwner(api);
  const kept = { accountId, workspaceId, kind: "manual", engine: "n8n", engineVersion: "2.40.7" } as const;
  const backup = await insertBackup(api.database.db, kept, api.clock.now());
  await api.call("POST", "/api/auth/login", { body: { login: form["email"], password: form["password"] } });
  const { sessions } = (await api.call("GET", "/api/auth/sessions", { token })).json<{ sessions: { id: string; isCurrent: boolean }[] }>();
  const id = name === "endSession" ? sessions.find(({ isCurrent }) => !isCurrent)!.id : backup!.id;
  const { method, path } = routes[name];
  const body = dangers[name](accountName);
  const act = (of = token) =>
    api.call(method, `/api${path.replace(":id", id)}`, {
      headers: { authorization: `Bearer ${of}` },
      ...(body ? { body } : {}),
    });
  const type = (password: unknown = form["password"]) =>
    api.call("POST", "/api/auth/confirm-password", { headers: { authorization: `Bearer ${token}` }, body: { password } });
  return { act, type, token };
}

test.each(Object.keys(dangers) as (keyof typeof dangers)[])("%s needs the password, typed at most ten minutes ago", async (name) => {
  const { act, type } = await prepare(name);
  api.clock.advance(10 * minuteMs);
  expect((await act()).json()).toMatchObject({ status: 403, code: "password_needed" });
  expect((await type("wrong password")).statusCode).toBe(403);
  expect((await act()).json()).toMatchObject({ code: "password_needed" });
  expect((await type()).statusCode).toBe(204);
  api.clock.advance(10 * minuteMs - 1);
  expect((await act()).body).not.toContain("password_needed");
});

test.each(Object.keys(dangers) as (keyof typeof dangers)[])(
  "%s is refused to sessions of a workspace, an operator and a mailed link",
  async (name) => {
    const { act, token } = await prepare(name);
    for (const openedBy of ["workspace", "operator", "magic-link"]) {
      await api.database.pool.query("update sessions set opened_by = $2, typed_at = null where token_hash = $1", [
        hashToken(token),
        openedBy,
      ]);
      expect((await act()).json(), openedBy).toMatchObject({ status: 403, code: "password_needed" });
    }
  },
);

test.each(Object.keys(dangers) as (keyof typeof dangers)[])("%s is described as one that may ask for the password", (name) => {
  expect(asksPassword(routes[name])).toBe(true);
});
