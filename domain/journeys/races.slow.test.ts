/**
 * Replacing a password ends everything that the old one opened, including calls in progress at that moment. Each call that
 * relies on a password, a session or a link is held where its transaction would begin, another call is made, and then
 * the first continues. Afterwards the same pairs race freely.
 */
import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts, workspaces } from "#database/tables.ts";
import type { Database } from "#platform/database.ts";
import { backupOf, exportOf, updatedWorkspace } from "#testing/database/stored-rows.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

/** Lets a test hold the next transaction before it begins, or all of them for a moment. */
function holdable(db: Database) {
  let waiting: { reached: () => void; released: Promise<void> } | undefined;
  let jitterMs = 0;
  const transaction: Database["transaction"] = async (work, options) => {
    const held = waiting;
    waiting = undefined;
    if (held) {
      held.reached();
      await held.released;
    }
    if (jitterMs > 0) await delay(Math.random() * jitterMs);
    return db.transaction(work, options);
  };
  return {
    db: new Proxy(db, { get: (target, name) => (name === "transaction" ? transaction : Reflect.get(target, name)) }),
    jitter: (ms: number) => void (jitterMs = ms),
    /** Resolves when the next transaction is about to begin; calling the result releases it. */
    holdNext() {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      waiting = { reached: reach, released };
      return { reached, release };
    },
  };
}

let api: TestApi;
let gate: ReturnType<typeof holdable>;
beforeAll(async () => void (api = await createTestApi(async ({ db }) => ({ db: (gate = holdable(db)).db }))));
afterAll(() => api[Symbol.asyncDispose]());

const post = (path: string, body: object, token?: string) => api.call("POST", `/api/${path}`, { body, ...(token ? { token } : {}) });
const isSignedIn = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).statusCode === 200;
const newPassword = "a brand new password";

interface Person {
  token: string;
  email: unknown;
  accountName: unknown;
  password: unknown;
}

async function owner(): Promise<Person> {
  const { token, form } = await registerConfirmed(api);
  await post("account/setup", { timezone: "Etc/UTC" }, token);
  await api.database.pool.query(
    "update workspaces set observed_state = 'online', observed_version = '2.40.7', observed_generation = generation, gateway_open = true where account_id = (select id from accounts where name = $1)",
    [form.accountName],
  );
  api.clock.advance(1_000);
  return { token, email: form.email, accountName: form.accountName, password: form.password };
}

const linkOf = async (email: unknown, name: string) => new URL(await api.newestLink(email)).searchParams.get(name);
const workspaceOf = async ({ accountName }: Person) => {
  const [row] = await api.database.db
    .select({ workspace: workspaces })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(eq(accounts.name, String(accountName)));
  return row!.workspace;
};

type Ready = () => Promise<{ statusCode: number; json(): { token?: string } }>;
let others = 0;

/** Calls that rely on the password or on one of its sessions; each is prepared before the race. */
const relying: Record<string, (person: Person) => Promise<Ready>> = {
  "a sign-in": ({ email, password }) => Promise.resolve(() => post("auth/login", { login: email, password })),
  "a change of address": ({ token, password }) =>
    Promise.resolve(() => post("auth/change-email", { email: `elsewhere-${(others += 1)}@example.com`, password }, token)),
  "a change of password": ({ token, password }) =>
    Promise.resolve(() => post("auth/change-password", { currentPassword: password, password: "of the one who is out" }, token)),
  "typing the password": ({ token, password }) => Promise.resolve(() => post("auth/confirm-password", { password }, token)),
  "signing out everywhere else": ({ token }) => Promise.resolve(() => api.call("DELETE", "/api/auth/sessions", { token })),
  "an invitation": ({ token }) =>
    Promise.resolve(() => post("account/invite-members", { emails: [`guest-${(others += 1)}@example.com`] }, token)),
  "an export with credentials": ({ token, password }) =>
    Promise.resolve(() => post("export/workflows", { withCredentials: true, passphrase: "long enough to be one", password }, token)),
  "an export": ({ token }) => Promise.resolve(() => post("export/workflows", { withCredentials: false }, token)),
  "deleting the workspace": ({ token, accountName }) => Promise.resolve(() => post("instance/delete", { accountName }, token)),
  "the link to a backup": async (person) => {
    const workspace = await workspaceOf(person);
    const id = await backupOf(api, workspace);
    return () => post(`export/backups/${id}/download`, { password: person.password }, person.token);
  },
  "restoring a backup": async (person) => {
    const workspace = await workspaceOf(person);
    const id = await backupOf(api, workspace);
    return () => post(`export/backups/${id}/restore`, { accountName: person.accountName }, person.token);
  },
  "going back from an update": async (person) => {
    await updatedWorkspace(api, await workspaceOf(person), { from: "2.38.7", to: "2.40.7" });
    return () => post("instance/rollback", { accountName: person.accountName }, person.token);
  },
  "the link to an export": async (person) => {
    const workspace = await workspaceOf(person);
    const id = await exportOf(api, workspace);
    return () => post(`export/exports/${id}/download`, {}, person.token);
  },
  "deleting a backup": async (person) => {
    const id = await backupOf(api, await workspaceOf(person));
    return () => api.call("DELETE", `/api/export/backups/${id}`, { token: person.token });
  },
  "deleting an export": async (person) => {
    const id = await exportOf(api, await workspaceOf(person));
    return () => api.call("DELETE", `/api/export/exports/${id}`, { token: person.token });
  },
};

/** Calls that end other people's access. */
const ending: Record<string, (person: Person) => Promise<Ready>> = {
  "a reset": async ({ email }) => {
    await post("auth/forgot-password", { email });
    const token = await linkOf(email, "token");
    return () => post("auth/reset-password", { token, password: newPassword });
  },
  "a change of password on another device": async ({ email, password }) => {
    const { token } = (await post("auth/login", { login: email, password })).json() as { token: string };
    return () => post("auth/change-password", { currentPassword: password, password: newPassword }, token);
  },
};

/** Nothing that the old password opened works; the account is intact. */
async function expectOut({ token, email, accountName, password }: Person, late: { statusCode: number; json(): { token?: string } }) {
  expect(await isSignedIn(token)).toBe(false);
  if (late.statusCode === 200 && late.json().token) expect(await isSignedIn(late.json().token!)).toBe(false);
  expect((await post("auth/login", { login: email, password })).statusCode).toBe(401);
  const { rows } = await api.database.pool.query(
    "select (select count(*)::int from sessions s where s.user_id = u.id) sessions, (select count(*)::int from link_tokens l where l.user_id = u.id and purpose in ('change-email', 'magic-link', 'operator-code', 'reset-password')) links from users u join accounts a on a.id = u.account_id where a.name = $1",
    [accountName],
  );
  expect(rows[0].links).toBe(0);
  expect((await post("auth/login", { login: email, password: newPassword })).statusCode).toBe(200);
}

describe.each(Object.keys(ending))("%s", (ended) => {
  test.each(Object.keys(relying))("ends the access of a caller in the middle of %s", async (relied) => {
    const person = await owner();
    const end = await ending[ended]!(person);
    const rely = await relying[relied]!(person);
    const { reached, release } = gate.holdNext();
    const late = rely();
    // A call that never gets that far must not hang the test.
    await Promise.race([reached, late]);
    expect((await end()).statusCode).toBe(204);
    release();
    const answer = await late;
    expect([401, 403]).toContain(answer.statusCode);
    await expectOut(person, answer);
  });
});

test("a sign-in link and a reset link used at the same moment leave one person signed in", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { form } = await registerConfirmed(api);
    api.clock.advance(1_000);
    await post("user/magic-link", { email: form.email });
    const code = await linkOf(form.email, "code");
    api.clock.advance(1_000);
    const reset = await ending["a reset"]!({ token: "", email: form.email, accountName: form.accountName, password: form.password });
    gate.jitter(40);
    const [signedIn, done] = await Promise.all([post("auth/login/code", { code }), reset()]);
    gate.jitter(0);
    expect(done.statusCode).toBe(204);
    if (signedIn.statusCode === 200) expect(await isSignedIn(signedIn.json().token)).toBe(false);
    else expect(signedIn.statusCode).toBe(401);
  }
});

test("in any order, a person who knew only the old password has no access afterwards, and no call deadlocks", async () => {
  const names = [
    "a sign-in",
    "a change of address",
    "a change of password",
    "typing the password",
    "an invitation",
    "signing out everywhere else",
  ];
  gate.jitter(60);
  for (let round = 0; round < 18; round += 1) {
    const person = await owner();
    const reset = await ending["a reset"]!(person);
    const rely = await Promise.all(
      [names[round % names.length]!, names[(round + 1 + (round % 4)) % names.length]!].map((name) => relying[name]!(person)),
    );
    const [done, ...late] = await Promise.all([
      delay(Math.random() * 60).then(reset),
      ...rely.map((call) => delay(Math.random() * 60).then(call)),
    ]);
    // If a change of password came first, the link is void and the account's owner is signed in.
    if (done.statusCode !== 204) {
      expect(done.statusCode).toBe(410);
      continue;
    }
    for (const answer of late) {
      expect(answer.statusCode).toBeLessThan(500);
      await expectOut(person, answer);
    }
  }
  gate.jitter(0);
});
