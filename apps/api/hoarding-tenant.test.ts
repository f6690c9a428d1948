/** Whatever a tenant calls, and however often: the rows and log lines that it leaves are bounded. */
import { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { callLimits, rightPasswordsADay } from "#domain/attempts/call-limits.ts";
import { minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestApi, registerConfirmed } from "#testing/test-api.ts";
import { loggedCalls } from "./limit-log.ts";

const calls = 2_000;
/** With its time, ids and a path of 200 characters. */
const mostBytesOfLine = 600;

async function openScene() {
  const written = { lines: 0, bytes: 0 };
  const write = (chunk: Buffer, _encoding: string, done: () => void) => ((written.lines += 1), (written.bytes += chunk.length), done());
  const log = createLog("info", undefined, new Writable({ write }));
  const api = await createTestApi({ log, callsPerMinute: 600 });
  onTestFinished(() => api[Symbol.asyncDispose]());
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  await api.database.pool.query(
    "update workspaces set observed_state = 'online', observed_generation = generation, observed_version = desired_version",
  );
  const rows = async (): Promise<number> => {
    const names = (await api.database.pool.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'"))
      .rows;
    const counts = names.map(
      async ({ name }) => (await api.database.pool.query<{ n: number }>(`select count(*)::int as n from "${name}"`)).rows[0]!.n,
    );
    return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
  };
  return { api, token, form, written, rows };
}

/** The calls that write most: links, restarts, forms; each as it is made by the panel. */
const hoards = [
  ["GET", "/api/instance/url", undefined],
  ["PUT", "/api/instance/restart", undefined],
  ["POST", "/api/account/selected-apps", { apps: [] }],
  ["GET", `/api/nothing/${"x".repeat(20_000)}`, undefined],
] as const;

test.each([
  ["one address", () => "10.7.7.7"],
  ["an address for each call", () => undefined],
])("2,000 calls of one session from %s leave a bounded number of rows and bytes", async (_what, address) => {
  const { api, token, written, rows } = await openScene();
  const [rowsBefore, before, beganMs] = [await rows(), { ...written }, performance.now()];
  const statuses = new Map<number, number>();
  for (let call = 0; call < calls; call += 1) {
    const [method, path, body] = hoards[Math.floor((call * hoards.length) / calls)]!;
    const from = address();
    const answer = await api.call(method, path, { token, body, ...(from ? { address: from } : {}) });
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
  }
  expect(statuses.get(429)).toBeGreaterThan(1_000);
  // The calls are made within a minute, or the machine is busy and they take longer.
  const minutes = 2 + Math.floor((performance.now() - beganMs) / minuteMs);
  const { form, workspace } = callLimits;
  // A restart has a journal line, an audit row and its line of the log to come; each kind has three counters, a link one more.
  expect((await rows()) - rowsBefore).toBeLessThan(minutes * (3 * workspace.perSessionMinute + 2 * form.perSessionMinute) + 40);
  // A refusal has two lines. Calls of unknown paths have no user: their addresses are limited.
  const mostLines = minutes * (2 * loggedCalls.ofUser + 10) + calls / hoards.length;
  expect(written.lines - before.lines).toBeLessThan(mostLines);
  expect(written.bytes - before.bytes).toBeLessThan(mostLines * mostBytesOfLine);
});

test("right passwords, and sign-outs of nothing, leave a bounded number of rows that are kept for good", async () => {
  const { api, token, form } = await openScene();
  const kept = async () => (await api.database.pool.query<{ n: number }>("select count(*)::int as n from audit_log")).rows[0]!.n;
  const { password } = form;
  const logIn = () => api.call("POST", "/api/auth/login", { body: { login: form.accountName, password } });
  const confirm = () =>
    api.call("POST", "/api/auth/confirm-password", { body: { password }, headers: { authorization: `Bearer ${token}` } });
  expect([(await logIn()).statusCode, (await confirm()).statusCode]).toEqual([200, 204]);
  const end = () => api.call("DELETE", "/api/auth/sessions", { token });
  expect((await end()).json()).toEqual({ ended: 1 });
  const before = await kept();
  expect((await end()).json()).toEqual({ ended: 0 });
  // Two so far; as if most of the day's had been typed.
  await api.database.pool.query(
    "update call_counts set calls = calls + $1 where calls = 2 and until > clock_timestamp() + interval '1 hour'",
    [rightPasswordsADay - 3],
  );
  expect((await confirm()).statusCode).toBe(204);
  for (const refused of [await logIn(), await confirm()]) expect(refused.json()).toMatchObject({ status: 429, code: "too_many_sign_ins" });
  expect(await kept()).toBe(before + 1);
  // A stranger's guess uses nothing up, and its answer says no more than before.
  expect(
    (await api.call("POST", "/api/auth/login", { body: { login: form.accountName, password: "a stranger's guess" } })).statusCode,
  ).toBe(401);
});
