import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

/** An owner whose workspace a worker has brought online. */
async function somebodyOnline() {
  const somebody = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token: somebody.token, body: { timezone: "Etc/UTC" } });
  await api.database.pool.query(
    "update workspaces set observed_state = 'online', observed_generation = generation, observed_version = desired_version where account_id = (select id from accounts where name = $1)",
    [somebody.form.accountName],
  );
  return somebody;
}

const setState = (accountName: string, set: string) =>
  api.database.pool.query(`update workspaces set ${set} where account_id = (select id from accounts where name = $1)`, [accountName]);

test("the link leads to the owner's workspace, signed in, at the requested page", async () => {
  const { token, form } = await somebodyOnline();
  const answer = await api.call("GET", "/api/instance/url?path=/workflow/new", { token });
  expect(answer.json().url).toMatch(
    new RegExp(`^http://${form.accountName}\\.localhost:3000/_slipway/login\\?token=for-.*&to=%2Fworkflow%2Fnew$`),
  );
});

const audited = async (accountName: unknown, action: string): Promise<number> =>
  (
    await api.database.pool.query("select 1 from audit_log where action = $2 and account_id = (select id from accounts where name = $1)", [
      accountName,
      action,
    ])
  ).rows.length;

test("links into the workspace are audited once per session, address and minute", async () => {
  const { token, form } = await somebodyOnline();
  const open = (address: string) => api.call("GET", "/api/instance/url", { token, address });
  for (let call = 0; call < 10; call += 1) expect((await open("10.1.1.1")).statusCode).toBe(200);
  expect(await audited(form.accountName, "workspace.opened")).toBe(1);
  expect((await open("10.1.1.2")).statusCode).toBe(200);
  expect(await audited(form.accountName, "workspace.opened")).toBe(2);
  await api.database.pool.query("update call_counts set until = clock_timestamp() - interval '1 second'");
  expect((await open("10.1.1.1")).statusCode).toBe(200);
  expect(await audited(form.accountName, "workspace.opened")).toBe(3);
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "workflow", "/a\\b", "/\u0000"])(
  "the landing path %j is not followed",
  async (path) => {
    const { token } = await somebodyOnline();
    const answer = await api.call("GET", `/api/instance/url?path=${encodeURIComponent(path)}`, { token });
    expect(answer.json().url).toMatch(/&to=%2F$/);
  },
);

test("there is no link without a workspace, nor while it is not online", async () => {
  const { token } = await registerConfirmed(api);
  expect((await api.call("GET", "/api/instance/url", { token })).json()).toMatchObject({ status: 404, code: "workspace_not_found" });
  expect((await api.call("GET", "/api/instance", { token })).statusCode).toBe(404);
  expect((await api.call("GET", "/api/instance/events", { token })).statusCode).toBe(404);
  expect((await api.call("PUT", "/api/instance/restart", { token })).statusCode).toBe(404);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  expect((await api.call("GET", "/api/instance/url", { token })).json()).toMatchObject({ status: 409, code: "workspace_not_online" });
});

test("a restart makes the workspace pending and due immediately", async () => {
  const { token, form } = await somebodyOnline();
  await setState(String(form.accountName), "reconcile_at = '2100-01-01'");
  expect((await api.call("GET", "/api/instance", { token })).json().status).toBe(1);
  const answer = await api.call("PUT", "/api/instance/restart", { token });
  expect(answer.statusCode).toBe(202);
  expect(answer.json().status).toBe(2);
  const { rows } = await api.database.pool.query<{ due: boolean }>(
    "select reconcile_at <= $2 as due from workspaces where account_id = (select id from accounts where name = $1)",
    [form.accountName, api.clock.now()],
  );
  expect(rows).toEqual([{ due: true }]);
  expect((await api.call("GET", "/api/instance/journal", { token })).json().entries[0]).toMatchObject({ event: "restart-requested" });
});

test("visitors cannot make workspace calls", async () => {
  for (const path of ["/api/instance", "/api/instance/url", "/api/instance/events", "/api/instance/journal"]) {
    expect((await api.call("GET", path)).statusCode, path).toBe(401);
  }
  expect((await api.call("PUT", "/api/instance/restart")).statusCode).toBe(401);
});

const whereIs = (name: string, address?: string) =>
  api.call("GET", `/api/workspace/${encodeURIComponent(name)}`, address ? { address } : {});

test("anyone who knows the name learns the workspace's URL, and nothing else, whatever its state", async () => {
  const { form } = await somebodyOnline();
  const name = String(form.accountName);
  const answer = await whereIs(name);
  expect([answer.statusCode, answer.json()]).toEqual([200, { url: `http://${name}.localhost:3000` }]);
  await setState(name, "desired_state = 'stopped'");
  expect((await whereIs(name)).json()).toEqual({ url: `http://${name}.localhost:3000` });
});

test("a free name, an account without a workspace and a deleted workspace look the same", async () => {
  const [{ form: without }, { form: deleted }] = [await registerConfirmed(api), await somebodyOnline()];
  await setState(String(deleted.accountName), "desired_state = 'deleted'");
  const answers = await Promise.all(
    ["nobody-has-this", String(without.accountName), String(deleted.accountName)].map((name) => whereIs(name)),
  );
  const bodies = answers.map((answer) => ({ ...answer.json(), instance: null, requestId: null }));
  expect(bodies[0]).toMatchObject({ status: 404, code: "workspace_not_found" });
  expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
});

test.each(["ab", "Acme", "a_b", "9lives", "../me", "a.b", "a".repeat(26)])("%s is no account name and has no URL", async (name) => {
  expect((await whereIs(name)).json()).toMatchObject({ status: 422, errors: [{ path: "username" }] });
});

test("a script that enumerates workspace names is slowed down", async () => {
  const codes = [];
  for (let call = 0; call < 61; call += 1) codes.push((await whereIs(`acme-${call}`, "10.9.9.9")).statusCode);
  expect(codes.filter((code) => code === 429)).toHaveLength(1);
});
