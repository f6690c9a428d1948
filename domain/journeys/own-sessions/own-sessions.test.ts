/** Where a user is signed in, which sessions they can end, and that other users cannot. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import type { Session } from "#contract/accounts/session.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const me = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).statusCode;
const list = async (token: string) =>
  (await api.call("GET", "/api/auth/sessions", { token })).json() as { sessions: Session[]; total: number };
const end = (token: string, id: string) => api.call("DELETE", `/api/auth/sessions/${id}`, { token });
const endOthers = (token: string) => api.call("DELETE", "/api/auth/sessions", { token });
const idOf = async (token: string) => (await list(token)).sessions.find(({ isCurrent }) => isCurrent)!.id;
const endings = async (email: unknown) =>
  (
    await api.database.pool.query(
      "select l.action, l.before, l.address from audit_log l join users u on u.id = l.user_id where u.email = $1 and l.action like 'session%ended' order by l.id",
      [email],
    )
  ).rows as object[];

type Form = Record<string, unknown>;
async function signIn(form: Form, userAgent = firefox): Promise<string> {
  const answer = await api.call("POST", "/api/auth/login", {
    body: { login: form["email"], password: form["password"] },
    headers: { "user-agent": userAgent },
  });
  return (answer.json() as { token: string }).token;
}
/** The code of a mailed link; a second passes first, so that it is the newest mail. */
async function codeFor(form: Form): Promise<string | null> {
  api.clock.advance(1_000);
  await api.call("POST", "/api/user/magic-link", { body: { email: form["email"] } });
  return new URL(await api.newestLink(form["email"])).searchParams.get("code");
}
async function signInByLink(form: Form): Promise<string> {
  const code = await codeFor(form);
  return ((await api.call("POST", "/api/auth/login/code", { body: { code } })).json() as { token: string }).token;
}

test("each session shows how, when and from where it was opened, in which browser and when it was last used, and nothing that opens it", async () => {
  const { token, form } = await registerConfirmed(api);
  const before = api.clock.now();
  const other = await signIn(form);
  api.clock.advance(2 * hourMs);
  const byLink = await signInByLink(form);
  const answer = await api.call("GET", "/api/auth/sessions", { token });
  const { sessions, total } = answer.json() as { sessions: Session[]; total: number };
  expect(total).toBe(3);
  expect(sessions[0]).toMatchObject({ isCurrent: true, openedBy: "password", device: null });
  expect(sessions[1]).toEqual({
    id: expect.any(String),
    isCurrent: false,
    openedBy: "magic-link",
    device: null,
    address: expect.stringMatching(/^10\./),
    signedInAt: api.clock.now().toISOString(),
    lastSeenAt: api.clock.now().toISOString(),
  });
  expect(sessions[2]).toEqual({
    id: expect.any(String),
    isCurrent: false,
    openedBy: "password",
    device: "Firefox on Linux",
    address: expect.stringMatching(/^10\./),
    signedInAt: before.toISOString(),
    lastSeenAt: before.toISOString(),
  });
  for (const secret of [token, other, byLink]) for (const text of [secret, hashToken(secret)]) expect(answer.body).not.toContain(text);
});

test("an operator's address is not shown", async () => {
  const { token, form } = await registerSomebody(api);
  const other = await signIn(form);
  await api.database.pool.query("update sessions set opened_by = 'operator' where token_hash = $1", [hashToken(other)]);
  const { sessions } = await list(token);
  expect(sessions.map(({ openedBy, address }) => [openedBy, address])).toEqual([
    ["password", expect.stringMatching(/^10\./)],
    ["operator", null],
  ]);
});

test("expired sessions are not listed", async () => {
  const { form } = await registerSomebody(api);
  api.clock.advance(14 * dayMs);
  expect((await list(await signIn(form))).total).toBe(1);
});

test("one session is ended from another: its next call is refused, all others keep working, and it is on record", async () => {
  const { token, form } = await registerSomebody(api);
  const [lost, kept] = [await signIn(form), await signIn(form)];
  const answer = await end(token, await idOf(lost));
  expect(answer.statusCode).toBe(204);
  expect(answer.cookies.map(({ name }) => name)).toEqual(["slipway-browser"]);
  expect((await api.call("GET", "/api/auth/me", { token: lost })).json()).toMatchObject({
    status: 401,
    code: "session_expired",
    error: "Session expired",
  });
  expect([await me(token), await me(kept)]).toEqual([200, 200]);
  expect(await endings(form["email"])).toEqual([
    {
      action: "session.ended",
      before: { openedBy: "password", device: "Firefox on Linux", createdAt: api.clock.now().toISOString() },
      address: expect.stringMatching(/^10\./),
    },
  ]);
});

test("another user's session can neither be ended nor distinguished from an unknown one, and nothing is written", async () => {
  const [mine, theirs] = [await registerSomebody(api), await registerSomebody(api)];
  const theirId = await idOf(theirs.token);
  expect((await end(mine.token, theirId)).json()).toMatchObject({ status: 404, code: "not_found" });
  expect((await end(mine.token, "019f0000-0000-7000-8000-000000000000")).json()).toMatchObject({ status: 404, code: "not_found" });
  for (const id of ["1", "'%20or%201=1", hashToken(theirs.token)])
    expect((await end(mine.token, id)).json()).toMatchObject({ status: 422, code: "validation_failed" });
  expect((await endOthers(mine.token)).json()).toEqual({ ended: 0 });
  expect(await me(theirs.token)).toBe(200);
  expect(await endings(theirs.form["email"])).toEqual([]);
  for (const route of [routes.listSessions, routes.endOtherSessions])
    expect((await api.call(route.method, `/api${route.path}`)).json()).toMatchObject({ status: 401, code: "signed_out" });
});

test("all others end together, however many there are, with pending links to sign in", async () => {
  const { token, form } = await registerConfirmed(api);
  const others = [];
  for (let count = 0; count < 3; count += 1) others.push(await signIn(form));
  await api.database.pool.query(
    "insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at) select 'many-' || n, user_id, created_at, last_seen_at, expires_at from sessions, generate_series(1, 57) n where token_hash = $1",
    [hashToken(token)],
  );
  const code = await codeFor(form);
  const seen = await list(token);
  expect([seen.sessions.length, seen.total, seen.sessions[0]!.isCurrent]).toEqual([50, 61, true]);
  expect((await endOthers(token)).json()).toEqual({ ended: 60 });
  expect(await Promise.all(others.map(me))).toEqual([401, 401, 401]);
  expect((await api.call("POST", "/api/auth/login/code", { body: { code } })).json()).toMatchObject({ code: "login_code_invalid" });
  expect(await list(token)).toMatchObject({ sessions: [{ isCurrent: true }], total: 1 });
  expect(await endings(form["email"])).toMatchObject([{ action: "sessions.ended", before: { sessions: 60 } }]);
});

test("a session ends another only after its password was just confirmed, however it was opened", async () => {
  const { token: owners, form } = await registerConfirmed(api);
  const opened = {
    "magic-link": await signInByLink(form),
    workspace: await signIn(form),
    operator: await signIn(form),
    password: await signIn(form),
  };
  for (const openedBy of ["workspace", "operator"] as const)
    await api.database.pool.query("update sessions set opened_by = $1, typed_at = null where token_hash = $2", [
      openedBy,
      hashToken(opened[openedBy]),
    ]);
  const ownersId = await idOf(owners);
  const refused = async (token: string) =>
    [await end(token, ownersId), await endOthers(token)].map((answer) => (answer.json() as { code: string }).code);
  for (const openedBy of ["magic-link", "workspace", "operator"] as const)
    expect(await refused(opened[openedBy]), openedBy).toEqual(["password_needed", "password_needed"]);
  // A browser that was left open, and one whose clock was set back: neither counts as recent.
  for (const ms of [10 * minuteMs, -30 * minuteMs]) {
    api.clock.advance(ms);
    expect(await refused(opened.password)).toEqual(["password_needed", "password_needed"]);
  }
  expect(await me(owners)).toBe(200);
  const confirmed = await api.call("POST", "/api/auth/confirm-password", { token: opened.workspace, body: { password: form["password"] } });
  const renewed = confirmed.cookies[0]!.value;
  expect((await end(renewed, ownersId)).statusCode).toBe(204);
  expect((await endOthers(renewed)).json()).toEqual({ ended: 3 });
  expect(await me(owners)).toBe(401);
});

test("the current session can always be ended, as by signing out", async () => {
  const { form } = await registerConfirmed(api);
  const token = await signInByLink(form);
  const answer = await end(token, await idOf(token));
  expect(answer.statusCode).toBe(204);
  expect(answer.cookies[0]).toMatchObject({ name: "token", value: "" });
  expect(await me(token)).toBe(401);
});

test("a session that was ended during its call ends none itself, and two that end each other do not deadlock", async () => {
  const { token, form } = await registerSomebody(api);
  const thief = await signIn(form);
  const holder = await api.database.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from users where email = $1 for update", [form["email"]]);
  const asked = endOthers(thief);
  await waitingForLock();
  await holder.query("delete from sessions where token_hash = $1", [hashToken(thief)]);
  await holder.query("commit");
  holder.release();
  expect((await asked).json()).toMatchObject({ status: 401, code: "session_expired" });
  expect(await me(token)).toBe(200);
  const three = [token, await signIn(form), await signIn(form)];
  const codes = (await Promise.all(three.map(endOthers))).map(({ statusCode }) => statusCode);
  expect(codes.toSorted()).toEqual([200, 401, 401]);
  expect((await Promise.all(three.map(me))).toSorted()).toEqual([200, 401, 401]);
});

test("killed between the ending and its record, neither has happened, and a repeated call does both", async () => {
  const { token, form } = await registerSomebody(api);
  const lost = await signIn(form);
  const id = await idOf(lost);
  const holder = await api.database.pool.connect();
  await holder.query("begin");
  await holder.query("lock table audit_log in exclusive mode");
  const asked = end(token, id);
  await holder.query("select pg_terminate_backend($1)", [await waitingForLock()]);
  expect((await asked).statusCode).toBeGreaterThanOrEqual(500);
  await holder.query("rollback");
  holder.release();
  expect(await me(lost)).toBe(200);
  expect(await endings(form["email"])).toEqual([]);
  expect((await end(token, id)).statusCode).toBe(204);
  expect(await me(lost)).toBe(401);
  expect(await endings(form["email"])).toHaveLength(1);
});

/** The connection that waits for a lock, once one does. */
async function waitingForLock(): Promise<number> {
  const find = async () =>
    (
      await api.database.pool.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rows[0]?.pid;
  await expect.poll(find).toBeDefined();
  return (await find())!;
}
