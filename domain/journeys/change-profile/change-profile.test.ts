/** A person's own choices, over the API. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { sessions } from "#database/tables.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { isMailMuted } from "#domain/accounts/credential-store.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api?.[Symbol.asyncDispose]());

const change = (token: string | undefined, body: object) =>
  api.call("PATCH", "/api/account/profile", { ...(token === undefined ? {} : { token }), body });

test("given values are saved, omitted ones stay, and a new name reaches the workspace", async () => {
  const { token } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const { user } = (await api.call("GET", "/api/auth/me", { token })).json<{ user: { id: string; profile: object } }>();
  expect(user.profile).toEqual({ language: null, timezone: null, mutedMails: [], revision: expect.any(String) });
  await api.database.pool.query(
    "update workspaces set reconcile_at = null where account_id = (select account_id from users where id = $1)",
    [user.id],
  );
  expect((await change(token, { language: "de", timezone: "Europe/Vienna" })).json()).toMatchObject({
    user: { profile: { language: "de", timezone: "Europe/Vienna", mutedMails: [] } },
  });
  expect(await isDue(user.id)).toBe(false);
  expect((await change(token, { fullName: "  Ada King ", mutedMails: ["usage"] })).json()).toMatchObject({
    user: { fullName: "Ada King", profile: { language: "de", timezone: "Europe/Vienna", mutedMails: ["usage"] } },
  });
  expect(await isDue(user.id)).toBe(true);
  expect((await change(token, { language: null })).json()).toMatchObject({ user: { profile: { language: null } } });
});

const seenBy = async (token: string) =>
  (await api.call("GET", "/api/auth/me", { token })).json<{
    user: { fullName: string; profile: { revision: string; mutedMails: string[] } };
  }>().user;

test("of two tabs that save, the second is refused, and nothing of the first is lost", async () => {
  const { token } = await registerConfirmed(api);
  const { revision } = (await seenBy(token)).profile;
  const first = await change(token, { fullName: "Ada King", revision });
  expect(first.json().user.profile.revision).not.toBe(revision);
  const second = await change(token, { fullName: "Ada Byron", revision });
  expect([second.statusCode, second.json()]).toMatchObject([409, { code: "changed_elsewhere" }]);
  expect((await seenBy(token)).fullName).toBe("Ada King");
  // With the newer revision it may.
  const third = await change(token, { fullName: "Ada Byron", revision: first.json().user.profile.revision });
  expect(third.json()).toMatchObject({ user: { fullName: "Ada Byron" } });
});

test("a save that is repeated because its answer was lost does not conflict with itself", async () => {
  const { token } = await registerConfirmed(api);
  const { revision } = (await seenBy(token)).profile;
  const first = await change(token, { fullName: "Ada King", revision });
  const again = await change(token, { fullName: "Ada King", revision });
  expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
});

test("of simultaneous saves, one is the first, and each kind of change counts", async () => {
  const { token } = await registerConfirmed(api);
  const { revision } = (await seenBy(token)).profile;
  const bodies = [{ fullName: "Ada King" }, { language: "de" }, { timezone: "Europe/Vienna" }, { mutedMails: ["exports"] }];
  const answers = await Promise.all(bodies.map((body) => change(token, { ...body, revision })));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409]);
  // Saving the same values changes nothing, so the revision stays valid.
  const { profile } = await seenBy(token);
  await change(token, { mutedMails: profile.mutedMails });
  expect((await change(token, { fullName: "Ada", revision: profile.revision })).statusCode).toBe(200);
});

test("only the mails on the list can be switched off, and nothing is written if nothing differs", async () => {
  const { token } = await registerConfirmed(api);
  const { user } = (await api.call("GET", "/api/auth/me", { token })).json<{ user: { id: string } }>();
  const { rows } = await api.database.pool.query<{ account_id: string }>("select account_id from users where id = $1", [user.id]);
  const accountId = rows[0]!.account_id;
  for (const body of [{ mutedMails: ["payment-failed"] }, { language: "fr" }, { timezone: "Mars/Base" }, { fullName: "<b>" }])
    expect((await change(token, body)).statusCode, JSON.stringify(body)).toBe(422);
  await change(token, { mutedMails: ["exports"] });
  await change(token, { mutedMails: ["exports"] });
  expect(await isMailMuted(api.database.db, accountId, "exports")).toBe(true);
  expect(await isMailMuted(api.database.db, accountId, "usage")).toBe(false);
  const written = await api.database.pool.query("select after from audit_log where action = 'profile.changed' and account_id = $1", [
    accountId,
  ]);
  expect(written.rows).toHaveLength(1);
});

test.each(["workspace", "operator"] as const)(
  "a session that was opened by a %s changes nothing of the profile before the password was typed",
  async (openedBy) => {
    const { token } = await registerConfirmed(api);
    await api.database.db
      .update(sessions)
      .set({ openedBy })
      .where(eq(sessions.tokenHash, hashToken(token)));
    for (const body of [{ mutedMails: ["exports"] }, { language: "de" }, { fullName: "Mallory" }])
      expect((await change(token, body)).json()).toMatchObject({ status: 403, code: "password_needed" });
  },
);

test("a profile cannot be changed without a session", async () => {
  expect((await change(undefined, { language: "de" })).statusCode).toBe(401);
});

const isDue = async (userId: string): Promise<boolean> => {
  const { rows } = await api.database.pool.query<{ due: boolean }>(
    "select reconcile_at is not null as due from workspaces where account_id = (select account_id from users where id = $1)",
    [userId],
  );
  return rows[0]!.due;
};
