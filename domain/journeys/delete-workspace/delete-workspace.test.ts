import { auditLog, mails, sessions, subscriptions, workspaces } from "#database/tables.ts";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashToken } from "#domain/accounts/token.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import { dayMs } from "#platform/clock.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";
import { untilAnsweredOrWaiting } from "#testing/database/held-lock.ts";

let api: TestApi;
beforeAll(async () => (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

/** An owner with an online workspace. */
async function owner() {
  const { token, form, accountName, accountId } = await setUpOwner(api);
  const change = (set: Partial<typeof workspaces.$inferInsert>) =>
    api.database.db.update(workspaces).set(set).where(eq(workspaces.accountId, accountId));
  await change({ observedState: "online", observedGeneration: 1, observedVersion: "2.40.7", ownerSetUpAt: new Date(), reconcileAt: null });
  const remove = (typed = accountName) => api.call("POST", "/api/instance/delete", { token, body: { accountName: typed } });
  const create = () => api.call("POST", "/api/instance", { token, body: { timezone: "Asia/Tokyo" } });
  const row = async () => (await api.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
  /** As the worker leaves it. */
  const finish = async () => change({ observedState: "deleted", observedGeneration: (await row()).generation, reconcileAt: null });
  return { token, form, accountName, accountId, change, remove, create, row, finish };
}

test("a deletion is requested once: one mail, a journal line, an audit row, invitations removed, and a worker woken", async () => {
  const { remove, row, token, accountId, form } = await owner();
  await api.call("POST", "/api/account/invite-members", { token, body: { emails: ["bob@example.com"] } });
  const answer = await remove();
  expect([answer.statusCode, answer.json()]).toMatchObject([202, { status: 2, isBeingDeleted: true }]);
  expect((await remove()).statusCode).toBe(202);
  expect(await row()).toMatchObject({ desiredState: "deleted", generation: 2, reconcileAt: expect.any(Date) });
  const sent = await api.database.db
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, String(form.email)), eq(mails.subject, `Your workspace ${form.accountName} is being deleted`)));
  expect(sent).toHaveLength(1);
  expect(
    await api.database.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.accountId, accountId), eq(auditLog.action, "workspace.deleted"))),
  ).toHaveLength(1);
  expect((await api.call("GET", "/api/account/invitations", { token })).json()).toMatchObject({ invitations: [] });
});

test("only the account's exact name deletes the workspace", async () => {
  const { remove, row, accountName } = await owner();
  for (const typed of ["", accountName.toUpperCase(), `${accountName} `, "somebody-else"]) {
    const answer = await remove(typed);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { errors: [{ path: "accountName", code: "account_name.confirmation" }] },
    ]);
  }
  expect((await row()).desiredState).toBe("running");
});

test.each(["workspace", "operator"] as const)("a session that was opened by a %s deletes nothing", async (openedBy) => {
  const { remove, row, token } = await owner();
  await api.database.db
    .update(sessions)
    .set({ openedBy, typedAt: null })
    .where(eq(sessions.tokenHash, hashToken(token)));
  expect((await remove()).json()).toMatchObject({ status: 403, code: "password_needed" });
  expect((await row()).desiredState).toBe("running");
});

test("a deleted workspace no longer exists, in the panel or the API", async () => {
  const { remove, finish, token } = await owner();
  await remove();
  await finish();
  expect((await api.call("GET", "/api/instance", { token })).json()).toMatchObject({ code: "workspace_not_found" });
  expect((await api.call("GET", "/api/auth/me", { token })).json()).toMatchObject({
    user: { account: { isSetup: true, instance: null, onboarding: { next: null } } },
  });
  for (const [method, path] of [
    ["PUT", "/api/instance/restart"],
    ["GET", "/api/instance/url"],
    ["GET", "/api/instance/logs"],
  ] as const)
    expect((await api.call(method, path, { token })).statusCode).toBe(404);
  expect((await remove()).json()).toMatchObject({ code: "workspace_not_found" });
});

test("a call meant for a deleted workspace does nothing to its replacement", async () => {
  const { remove, finish, create, row, token, accountName, accountId } = await owner();
  const shown = (await api.call("GET", "/api/instance", { token })).json<{ life: number; revision: string; status: number }>();
  await remove();
  await finish();
  expect((await create()).statusCode).toBe(202);
  await api.database.db
    .update(workspaces)
    .set({ observedState: "online", observedVersion: "2.40.7", timezone: "Etc/UTC" })
    .where(eq(workspaces.accountId, accountId));
  const backup = await insertBackup(
    api.database.db,
    { accountId, workspaceId: (await row()).id, kind: "manual", engine: "n8n", engineVersion: "2.40.7" },
    api.clock.now(),
  );
  const { life, revision } = shown;
  const meantForTheOld = [
    await api.call("POST", "/api/instance/delete", { token, body: { accountName, life } }),
    await api.call("POST", "/api/instance/rollback", { token, body: { accountName, life } }),
    await api.call("POST", `/api/export/backups/${backup!.id}/restore`, { token, body: { accountName, life } }),
    // The new one may have identical settings.
    await api.call("PUT", "/api/instance/configuration", { token, body: { revision, timezone: "Asia/Tokyo" } }),
  ];
  expect(meantForTheOld.map((answer) => answer.json<{ code: string }>().code)).toEqual([
    "workspace_replaced",
    "workspace_replaced",
    "workspace_replaced",
    "settings_changed",
  ]);
  expect(await row()).toMatchObject({ desiredState: "running", timezone: "Etc/UTC" });
  const now = (await api.call("GET", "/api/instance", { token })).json<{ life: number }>();
  expect((await api.call("POST", "/api/instance/delete", { token, body: { accountName, life: now.life } })).statusCode).toBe(202);
});

test("a new workspace keeps only the journal and the key of the deleted one", async () => {
  const { remove, finish, create, row, token } = await owner();
  const before = await row();
  await remove();
  expect((await create()).json()).toMatchObject({ status: 409, code: "workspace_exists" });
  await finish();
  const answer = await create();
  expect([answer.statusCode, answer.json()]).toMatchObject([
    202,
    { status: 2, isNew: true, isBeingDeleted: false, timezone: "Asia/Tokyo", versionName: "2.40.7" },
  ]);
  expect(await row()).toMatchObject({
    id: before.id,
    secrets: before.secrets,
    desiredState: "running",
    observedState: "none",
    observedVersion: null,
    ownerSetUpAt: null,
    generation: 3,
    reconcileAt: expect.any(Date),
  });
  const { entries } = (await api.call("GET", "/api/instance/journal", { token })).json<{ entries: { event: string; by: string }[] }>();
  expect(entries.map(({ event, by }) => [event, by])).toEqual([
    ["requested", "Ada Lovelace"],
    ["deletion-requested", "Ada Lovelace"],
    ["requested", "Ada Lovelace"],
  ]);
  expect((await create()).json()).toMatchObject({ code: "workspace_exists" });
});

test("of two clicks on a new workspace, one creates it", async () => {
  const { remove, finish, create, row } = await owner();
  await remove();
  await finish();
  const answers = await Promise.all([create(), create(), create()]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409, 409]);
  expect((await row()).generation).toBe(3);
});

test.each([
  ["an ended trial", { status: "trialing", periodEndsAt: -dayMs }, 403],
  ["a paused subscription", { status: "paused" }, 403],
  ["a cancelled one that is over", { status: "deleted", cancelAt: -dayMs }, 403],
  ["a cancelled one that runs on", { status: "deleted", cancelAt: dayMs }, 202],
  ["one that is past due", { status: "past_due" }, 202],
  ["a paid one", { status: "active" }, 202],
] as const)("with %s a new workspace is answered as it should", async (_title, { status, ...moments }, expected) => {
  const { remove, finish, create, accountId } = await owner();
  await remove();
  await finish();
  const dates = Object.fromEntries(Object.entries(moments).map(([name, ms]) => [name, new Date(api.clock.now().getTime() + ms)]));
  await api.database.db
    .update(subscriptions)
    .set({ status, ...dates })
    .where(eq(subscriptions.accountId, accountId));
  expect((await create()).statusCode).toBe(expected);
});

test("a new workspace has the memory of the paid plan", async () => {
  const { remove, finish, create, row, accountId } = await owner();
  await remove();
  await finish();
  await api.database.db
    .update(subscriptions)
    .set({ status: "active", planId: "pro-2-monthly", specId: "pro-2" })
    .where(eq(subscriptions.accountId, accountId));
  expect((await create()).statusCode).toBe(202);
  expect((await row()).memoryMb).toBe(2048);
});

test.each([
  ["the end of the subscription", "update subscriptions set status = 'paused' where account_id = $1", "subscription_required"],
  [
    "the end of the session",
    "with person as (select id from users where account_id = $1 for update) delete from sessions where user_id in (select id from person)",
    "session_expired",
  ],
])("of a new workspace and %s at the same moment, the end wins", async (_title, sql, code) => {
  const { remove, finish, create, row, accountId } = await owner();
  await remove();
  await finish();
  const other = await api.database.pool.connect();
  await other.query("begin");
  await other.query(sql, [accountId]);
  const asked = create();
  await untilAnsweredOrWaiting(api.database.pool, asked);
  await other.query("commit");
  other.release();
  expect((await asked).json()).toMatchObject({ code });
  expect((await row()).desiredState).toBe("deleted");
});
