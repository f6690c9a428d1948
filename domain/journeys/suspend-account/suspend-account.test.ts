import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { isOpenWhileSuspended, rightsOf, whileSuspended, type RouteName } from "#contract/session-rights.ts";
import { routes } from "#contract/routes.ts";
import { accounts, auditLog, mails, workspaceJournal, workspaces } from "#database/tables.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { dayMs, minuteMs } from "#platform/clock.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { endSuspensions, resumeAccount } from "./resume-account.ts";
import { suspendAccount } from "./suspend-account.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api?.[Symbol.asyncDispose]());

const paid = { event: "paid", message: say("paid") } as const;
const why = { by: "grace", reason: "It sends spam.", until: null };
const parts = () => ({ ...api.services, lastBackupDays: 30 });
type Account = Awaited<ReturnType<typeof newOwner>>;

/** A confirmed owner, whose workspace is not requested yet. */
async function newOwner() {
  const { token, form } = await registerConfirmed(api);
  const accountName = String(form["accountName"]);
  const [row] = await api.database.db.select({ accountId: accounts.id }).from(accounts).where(eq(accounts.name, accountName));
  return { token, accountName, accountId: row!.accountId, email: String(form["email"]) };
}

const workspaceOf = async ({ accountId }: Pick<Account, "accountId">) =>
  (await api.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0];
const suspend = (account: Pick<Account, "accountId" | "accountName">, changes: { until?: Date | null; reason?: string } = {}) =>
  suspendAccount(parts(), account, { ...why, ...changes });
const launch = ({ token }: Account) => api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });

interface Start {
  /** Until the workspace could be started by this path. */
  prepare(account: Account): Promise<unknown>;
  start(account: Account): Promise<unknown>;
  /** What it becomes after the suspension if the start came too late. */
  afterwards: string | undefined;
}

/** Every path that makes a workspace run; the others need one that should run already. */
const starts: Record<string, Start> = {
  "a launch": { prepare: async () => undefined, start: launch, afterwards: undefined },
  "a new workspace": {
    async prepare(account) {
      await launch(account);
      await api.database.db.transaction((tx) => requestDeletion(tx, account.accountId, api.clock.now()));
      await api.database.db.update(workspaces).set({ observedState: "deleted" }).where(eq(workspaces.accountId, account.accountId));
    },
    start: ({ token }) => api.call("POST", "/api/instance", { token, body: { timezone: "Etc/UTC" } }),
    afterwards: "deleted",
  },
  "a payment": {
    async prepare(account) {
      await launch(account);
      await api.database.db.transaction((tx) => setDesiredState(tx, account.accountId, "stopped", paid, api.clock.now()));
    },
    start: ({ accountId }) => api.database.db.transaction((tx) => setDesiredState(tx, accountId, "running", paid, api.clock.now())),
    afterwards: "running",
  },
};

test.each(Object.entries(starts))(
  "%s that arrives while a suspension is being written waits for it, and starts nothing",
  async (_what, path) => {
    const account = await newOwner();
    await path.prepare(account);
    // Its last statement waits, so that everything before it is written and not committed.
    const blocker = await api.database.pool.connect();
    await blocker.query("begin; lock table mails in exclusive mode");
    const suspending = suspend(account);
    await waitForLocks(api.database.pool, 1);
    const starting = path.start(account);
    await waitForLocks(api.database.pool, 2);
    await blocker.query("commit");
    blocker.release();
    await suspending;
    const answer = await starting;
    if (answer && typeof answer === "object") expect((answer as { body: string }).body).toContain("account_suspended");
    expect((await workspaceOf(account))?.desiredState).not.toBe("running");
    await resumeAccount(parts(), account.accountId, { operator: "grace" });
    expect((await workspaceOf(account))?.desiredState).toBe(path.afterwards);
  },
);

test.each(Object.entries(starts))("%s that is being written is stopped by the suspension that waits for it", async (_what, path) => {
  const account = await newOwner();
  await path.prepare(account);
  const blocker = await api.database.pool.connect();
  await blocker.query("begin; lock table workspace_journal in exclusive mode");
  const starting = path.start(account);
  await waitForLocks(api.database.pool, 1);
  const suspending = suspend(account);
  await waitForLocks(api.database.pool, 2);
  await blocker.query("commit");
  blocker.release();
  await Promise.all([starting, suspending]);
  expect(await workspaceOf(account)).toMatchObject({ desiredState: "stopped", resumesAs: "running" });
  await resumeAccount(parts(), account.accountId, { operator: "grace" });
  expect(await workspaceOf(account)).toMatchObject({ desiredState: "running", resumesAs: null });
});

test("no statement at all makes the workspace of a suspended account run", async () => {
  const account = await newOwner();
  await launch(account);
  await suspend(account);
  await expect(
    api.database.pool.query("update workspaces set desired_state = 'running' where account_id = $1", [account.accountId]),
  ).rejects.toThrow("workspaces_stopped_while_suspended");
});

test("a second suspension replaces reason and end, and what the workspace was is not forgotten", async () => {
  const account = await newOwner();
  await launch(account);
  const since = api.clock.now();
  expect(await suspend(account)).toEqual({ wasSuspended: false });
  api.clock.advance(dayMs);
  const until = new Date(api.clock.now().getTime() + dayMs);
  expect(await suspend(account, { until, reason: "It mines." })).toEqual({ wasSuspended: true });
  const { user } = (await api.call("GET", "/api/auth/me", { token: account.token })).json<{ user: { account: { suspension: unknown } } }>();
  expect(user.account.suspension).toEqual({ since: since.toISOString(), until: until.toISOString(), reason: "It mines." });
  await resumeAccount(parts(), account.accountId, { operator: "grace", reason: "settled" });
  expect((await workspaceOf(account))?.desiredState).toBe("running");
});

test("a suspension ends at its time, not before, and one without a time only by an operator", async () => {
  const [timed, open] = [await newOwner(), await newOwner()];
  for (const account of [timed, open]) await launch(account);
  await suspend(timed, { until: new Date(api.clock.now().getTime() + dayMs) });
  await suspend(open);
  api.clock.advance(dayMs - minuteMs);
  await endSuspensions(parts());
  expect((await workspaceOf(timed))?.desiredState).toBe("stopped");
  api.clock.advance(minuteMs);
  await endSuspensions(parts());
  expect((await workspaceOf(timed))?.desiredState).toBe("running");
  expect((await workspaceOf(open))?.desiredState).toBe("stopped");
  expect(await resumeAccount(parts(), open.accountId)).toBe(false);
  expect(await resumeAccount(parts(), timed.accountId, { operator: "grace" })).toBe(false);
});

test("one that was stopped for its subscription before stays stopped afterwards, and one deleted meanwhile stays deleted", async () => {
  const [stopped, deleted] = [await newOwner(), await newOwner()];
  for (const account of [stopped, deleted]) await launch(account);
  const { db } = api.database;
  await db.transaction((tx) => setDesiredState(tx, stopped.accountId, "stopped", paid, api.clock.now()));
  for (const account of [stopped, deleted]) await suspend(account);
  await db.transaction((tx) => setDesiredState(tx, deleted.accountId, "deleted", paid, api.clock.now()));
  for (const { accountId } of [stopped, deleted]) await resumeAccount(parts(), accountId, { operator: "grace" });
  expect((await workspaceOf(stopped))?.desiredState).toBe("stopped");
  expect((await workspaceOf(deleted))?.desiredState).toBe("deleted");
});

test("a payment that fails during the suspension keeps the workspace stopped afterwards", async () => {
  const account = await newOwner();
  await launch(account);
  await suspend(account);
  await api.database.db.transaction((tx) => setDesiredState(tx, account.accountId, "stopped", paid, api.clock.now()));
  await resumeAccount(parts(), account.accountId, { operator: "grace" });
  expect((await workspaceOf(account))?.desiredState).toBe("stopped");
});

test("the owner is told by mail with the reason, in the journal without it, and the audit log names the operator", async () => {
  const account = await newOwner();
  await launch(account);
  await suspend(account, { until: new Date("2027-03-31T23:59:59Z") });
  await resumeAccount(parts(), account.accountId, { operator: "ada", reason: "settled" });
  const { db } = api.database;
  const sent = await db.select().from(mails).where(eq(mails.recipient, account.email)).orderBy(mails.createdAt);
  const [told, over] = sent.slice(-2);
  expect(told).toMatchObject({ subject: "Your account was suspended" });
  for (const part of ["It sends spam.", "31 March 2027", "help@s.example", account.accountName]) expect(told!.text).toContain(part);
  expect(over).toMatchObject({ subject: "Your account is no longer suspended" });
  const { id } = (await workspaceOf(account))!;
  const journal = await db.select().from(workspaceJournal).where(eq(workspaceJournal.workspaceId, id)).orderBy(workspaceJournal.id);
  expect(journal.slice(-2).map(({ event }) => event)).toEqual(["suspended", "suspension-ended"]);
  expect(journal.map(({ message }) => message).join()).not.toContain("spam");
  const audited = await db.select().from(auditLog).where(eq(auditLog.accountId, account.accountId)).orderBy(auditLog.id);
  expect(audited.slice(-2)).toMatchObject([
    { action: "account.suspended", after: { operator: "grace", reason: "It sends spam." } },
    { action: "account.resumed", before: { operator: "grace", reason: "It sends spam." }, after: { operator: "ada", reason: "settled" } },
  ]);
});

const named = Object.keys(routes) as RouteName[];

test("the owner of a suspended account may call what reads and what the table lists, and is refused all else before its body", async () => {
  const { token, accountId, accountName } = await setUpOwner(api);
  await suspend({ accountId, accountName });
  for (const name of named.filter((each) => rightsOf(routes[each]) !== "anyone")) {
    const { method, path, success } = routes[name] as { method: "GET"; path: string; success: { stream?: boolean } };
    if (success.stream) continue;
    const answer = await api.call(method, `/api${path.replaceAll(/:\w+/g, "0198d1a0-0000-7000-8000-000000000000")}`, {
      token,
      ...(method === "GET" ? {} : { headers: { "idempotency-key": "k" } }),
    });
    const isOpen = method === "GET" || (method as string) === "HEAD" || name in whileSuspended;
    expect(isOpenWhileSuspended(routes[name]), name).toBe(isOpen);
    if (isOpen) expect(answer.body, name).not.toContain("account_suspended");
    else expect(answer.json(), name).toMatchObject({ status: 403, code: "account_suspended" });
  }
});

/** Calls that start, change, invite or charge. */
const refused: readonly RouteName[] = [
  "setUpAccount",
  "restartInstance",
  "createInstance",
  "changeInstance",
  "changeVariables",
  "rollBackInstance",
  "restoreBackup",
  "deleteInstance",
  "deleteBackup",
  "inviteMembers",
  "resendInvitation",
  "generatePayLink",
  "changePlan",
  "changeCustomPlan",
  "resubscribe",
  "retryPayment",
  "changeCard",
];

test.each(refused)("%s is closed while suspended", (name) => expect(isOpenWhileSuspended(routes[name])).toBe(false));
