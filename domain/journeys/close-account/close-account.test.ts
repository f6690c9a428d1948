import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isOpenWhileClosed, rightsOf, whileClosed, type RouteName } from "#contract/session-rights.ts";
import { routes } from "#contract/routes.ts";
import { accounts, auditLog, mails, workspaceJournal, workspaces } from "#database/tables.ts";
import { requestRestore } from "#domain/backups/restores/request-restore.ts";
import { resumeAccount } from "../suspend-account/resume-account.ts";
import { suspendAccount } from "../suspend-account/suspend-account.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { closeAccount } from "./close-account.ts";
import { reopenAccount } from "./reopen-account.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api?.[Symbol.asyncDispose]());

const parts = () => ({ ...api.services, lastBackupDays: 30, supportEmail: "help@example.com" });
const grace = { kind: "operator", operator: "grace", reason: "The company is gone." } as const;
type Owner = Awaited<ReturnType<typeof newOwner>>;

/** A confirmed owner, whose workspace is not requested yet. */
async function newOwner() {
  const { token, form } = await registerConfirmed(api);
  const accountName = String(form["accountName"]);
  const [row] = await api.database.db.select({ accountId: accounts.id }).from(accounts).where(eq(accounts.name, accountName));
  return { token, accountName, accountId: row!.accountId, email: String(form["email"]), password: String(form["password"]) };
}
const launch = ({ token }: Pick<Owner, "token">) => api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
const close = ({ token, accountName }: Pick<Owner, "token" | "accountName">, typed = accountName) =>
  api.call("POST", "/api/account/closing", { token, body: { accountName: typed } });
const reopen = ({ token }: Pick<Owner, "token">) => api.call("DELETE", "/api/account/closing", { token });
const closing = async ({ token }: Pick<Owner, "token">) =>
  (await api.call("GET", "/api/auth/me", { token })).json<{ user: { account: { closing: unknown } } }>().user.account.closing;
const workspaceOf = async ({ accountId }: Pick<Owner, "accountId">) =>
  (await api.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0];

test("the owner closes the account with its name and a recent password; the workspace is deleted, and others are signed out", async () => {
  const owner = await newOwner();
  await launch(owner);
  await api.call("POST", "/api/account/invite-members", { token: owner.token, body: { emails: ["mate@example.com"] } });
  const { token: other } = (
    await api.call("POST", "/api/auth/login", { body: { login: owner.accountName, password: owner.password } })
  ).json<{ token: string }>();
  await api.call("POST", "/api/user/magic-link", { body: { email: owner.email } });
  expect((await api.call("GET", "/api/account/closing", { token: owner.token })).json()).toEqual({ blockers: [], days: 30 });
  expect((await close(owner, "another")).json()).toMatchObject({ status: 422, errors: [{ path: "accountName" }] });
  expect(await closing(owner)).toBeNull();
  expect((await close(owner)).statusCode).toBe(204);
  const now = api.clock.now();
  expect(await closing(owner)).toEqual({
    since: now.toISOString(),
    eraseAt: new Date(now.getTime() + 30 * dayMs).toISOString(),
    reason: null,
  });
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "deleted", resumesAs: "running" });
  expect((await api.call("GET", "/api/auth/me", { token: other })).statusCode).toBe(401);
  const links = await api.database.pool.query("select 1 from link_tokens l join users u on u.id = l.user_id where u.account_id = $1", [
    owner.accountId,
  ]);
  expect(links.rows).toEqual([]);
  const invited = await api.database.pool.query("select 1 from invitations where account_id = $1 and revoked_at is null", [
    owner.accountId,
  ]);
  expect(invited.rows).toEqual([]);
  // Again, from a second tab: refused like everything else, and nothing is repeated.
  expect((await close(owner)).json()).toMatchObject({ code: "account_closed" });
  const { db } = api.database;
  const [told, ...more] = await db.select().from(mails).where(eq(mails.subject, "Your account was closed"));
  expect(more).toEqual([]);
  expect(told).toMatchObject({ recipient: owner.email });
  expect(told!.text).toContain("You closed the account");
  expect(told!.text.replaceAll(/\s+/g, " ")).toContain(
    "If your workspace was running before and your plan has not ended, it then comes back",
  );
  const [written] = await db.select().from(auditLog).where(eq(auditLog.action, "account.closed"));
  expect(written).toMatchObject({ accountId: owner.accountId, after: { eraseAt: expect.any(String) as string } });
  // Who signs in again reads that it is closed.
  const back = await api.call("POST", "/api/auth/login", { body: { login: owner.accountName, password: owner.password } });
  expect(await closing(back.json<{ token: string }>())).not.toBeNull();
});

test("reopened within its days, the workspace runs again; on its day it is too late", async () => {
  const [owner, late] = [await newOwner(), await newOwner()];
  for (const each of [owner, late]) {
    await launch(each);
    await close(each);
  }
  api.clock.advance(29 * dayMs);
  const again = async (each: Owner) =>
    (await api.call("POST", "/api/auth/login", { body: { login: each.accountName, password: each.password } })).json<{ token: string }>();
  expect((await reopen(await again(owner))).statusCode).toBe(204);
  expect(await closing(await again(owner))).toBeNull();
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "running", resumesAs: null });
  const journal = await api.database.db
    .select()
    .from(workspaceJournal)
    .where(eq(workspaceJournal.workspaceId, (await workspaceOf(owner))!.id));
  expect(journal.map(({ event }) => event).slice(-2)).toEqual(["account-closed", "account-reopened"]);
  api.clock.advance(dayMs);
  expect((await reopen(await again(late))).json()).toMatchObject({ code: "account_closed" });
  expect(await workspaceOf(late)).toMatchObject({ desiredState: "deleted" });
});

test("an account that was not set up can be closed and reopened, too", async () => {
  const owner = await newOwner();
  expect((await close(owner)).statusCode).toBe(204);
  expect((await launch(owner)).json()).toMatchObject({ code: "account_closed" });
  expect((await reopen(owner)).statusCode).toBe(204);
  expect((await launch(owner)).statusCode).toBe(202);
});

test("no statement at all makes the workspace of a closed account run", async () => {
  const owner = await newOwner();
  await launch(owner);
  await close(owner);
  await expect(
    api.database.pool.query("update workspaces set desired_state = 'running' where account_id = $1", [owner.accountId]),
  ).rejects.toThrow("workspaces_stopped_while_suspended");
});

/** Runs both so that the first has written and not committed when the second begins. */
async function inOrder<A, B>(table: string, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const blocker = await api.database.pool.connect();
  await blocker.query(`begin; lock table ${table} in exclusive mode`);
  const [one] = [first()];
  await waitForLocks(api.database.pool, 1);
  const two = second();
  await waitForLocks(api.database.pool, 2);
  await blocker.query("commit");
  blocker.release();
  return Promise.all([one, two]);
}

test("a launch that arrives while the closing is being written starts nothing", async () => {
  const owner = await newOwner();
  const [, launched] = await inOrder(
    "mails",
    () => closeAccount(parts(), owner.accountId, grace),
    () => launch(owner),
  );
  expect([401, 403]).toContain(launched.statusCode);
  expect(await workspaceOf(owner)).toBeUndefined();
});

test("a launch that is being written is undone by the closing that waits for it", async () => {
  const owner = await newOwner();
  const [launched] = await inOrder(
    "workspace_journal",
    () => launch(owner),
    () => closeAccount(parts(), owner.accountId, grace),
  );
  expect(launched.statusCode).toBe(202);
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "deleted", resumesAs: "running" });
});

test("a restore that arrives while the closing is being written is refused", async () => {
  const owner = await newOwner();
  await launch(owner);
  const { db } = api.database;
  const restore = () =>
    db
      .transaction((tx) => requestRestore(tx, { ...owner, backupId: newId(), actor: "Ada" }, api.clock.now()))
      .then(
        () => "restored",
        (error: { code?: string }) => error.code,
      );
  const [, answer] = await inOrder("mails", () => closeAccount(parts(), owner.accountId, grace), restore);
  expect(answer).toBe("workspace_not_found");
});

test("of a closing and a reopening at the same moment, the second follows the first", async () => {
  const owner = await newOwner();
  await launch(owner);
  const [closed, opened] = await inOrder(
    "mails",
    () => closeAccount(parts(), owner.accountId, grace),
    () => reopenAccount(parts(), owner.accountId, { operator: "grace" }),
  );
  expect([closed, opened]).toEqual([{ eraseAt: expect.any(Date) as Date }, true]);
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "running", resumesAs: null });
});

test("a suspended account is closed only by an operator, and reopened only once it is no longer suspended", async () => {
  const owner = await newOwner();
  await launch(owner);
  await suspendAccount(parts(), owner, { by: "grace", reason: "It sends spam.", until: null });
  expect((await api.call("GET", "/api/account/closing", { token: owner.token })).json()).toMatchObject({
    blockers: [{ kind: "suspension", until: null }],
  });
  expect((await close(owner)).json()).toMatchObject({ code: "account_suspended" });
  expect(await closeAccount(parts(), owner.accountId, grace)).toEqual({ eraseAt: expect.any(Date) as Date });
  const { token } = (await api.call("POST", "/api/auth/login", { body: { login: owner.accountName, password: owner.password } })).json<{
    token: string;
  }>();
  expect((await reopen({ token })).json()).toMatchObject({ code: "account_suspended" });
  const back = () => reopenAccount(parts(), owner.accountId, { operator: "grace" });
  await expect(back()).rejects.toMatchObject({ code: "account_suspended" });
  expect(await closing({ token })).not.toBeNull();
  await resumeAccount(parts(), owner.accountId, { operator: "grace" });
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "deleted", resumesAs: "running" });
  expect(await back()).toBe(true);
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "running", resumesAs: null });
});

test("a suspension that ends while the account is closed brings nothing back", async () => {
  const owner = await newOwner();
  await launch(owner);
  await closeAccount(parts(), owner.accountId, grace);
  await suspendAccount(parts(), owner, { by: "grace", reason: "It sends spam.", until: null });
  await resumeAccount(parts(), owner.accountId, { operator: "grace" });
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "deleted", resumesAs: "running" });
  // That it starts now would not be true.
  const told = await api.database.db.select({ subject: mails.subject }).from(mails).where(eq(mails.recipient, owner.email));
  expect(told.map(({ subject }) => subject)).not.toContain("Your account is no longer suspended");
  expect(await reopenAccount(parts(), owner.accountId, { operator: "grace" })).toBe(true);
  expect(await workspaceOf(owner)).toMatchObject({ desiredState: "running" });
});

test("what was paid for although the account is closed can be cancelled", async () => {
  const owner = await newOwner();
  await launch(owner);
  await close(owner);
  const answer = await api.call("POST", "/api/account/billing/cancel", {
    token: owner.token,
    body: { accountName: owner.accountName },
    headers: { "idempotency-key": newId() },
  });
  expect(answer.statusCode, answer.body).toBe(200);
});

const named = Object.keys(routes) as RouteName[];

test("the owner of a closed account may call what reads and what the table lists, and is refused all else before its body", async () => {
  const owner = await setUpOwner(api);
  await closeAccount(parts(), owner.accountId, grace);
  const { token } = (
    await api.call("POST", "/api/auth/login", { body: { login: owner.accountName, password: String(owner.form["password"]) } })
  ).json<{
    token: string;
  }>();
  for (const name of named.filter((each) => rightsOf(routes[each]) !== "anyone")) {
    const { method, path, success } = routes[name] as { method: "GET"; path: string; success: { stream?: boolean } };
    if (success.stream || name === "reopenAccount") continue;
    const answer = await api.call(method, `/api${path.replaceAll(/:\w+/g, "0198d1a0-0000-7000-8000-000000000000")}`, {
      token,
      ...(method === "GET" ? {} : { headers: { "idempotency-key": "k" } }),
    });
    const isOpen = method === "GET" || (method as string) === "HEAD" || name in whileClosed;
    expect(isOpenWhileClosed(routes[name]), name).toBe(isOpen);
    if (isOpen) expect(answer.body, name).not.toContain("account_closed");
    else expect(answer.json(), name).toMatchObject({ status: 403, code: "account_closed" });
  }
});
