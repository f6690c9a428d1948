import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { workspacePurposes } from "#contract/accounts/account-values.ts";
import { dayMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const setUp = (token: string, timezone: unknown = "Europe/Berlin") => api.call("POST", "/api/account/setup", { token, body: { timezone } });

test("setting up starts the trial and requests a workspace that is pending", async () => {
  const { token, form } = await registerConfirmed(api);
  const answer = await setUp(token);
  expect(answer.statusCode).toBe(202);
  const { account } = answer.json().user;
  expect(account).toMatchObject({
    isSetup: true,
    billing: null,
    taxInclusive: false,
    instance: {
      status: 2,
      engine: "n8n",
      versionName: "2.40.7",
      timezone: "Europe/Berlin",
      url: `http://localhost:3000/open?workspace=${form.accountName}`,
      address: `http://${form.accountName}.localhost:3000`,
      usedLimits: null,
    },
  });
  expect(account.planSpec).toMatchObject({
    planId: "trial-1",
    displayName: "Trial",
    metadata: { group: "trial" },
    expirationDate: new Date(api.clock.now().getTime() + 14 * dayMs).toISOString(),
  });
  expect((await api.call("GET", "/api/instance/journal", { token })).json().entries).toMatchObject([{ event: "requested" }]);
});

test("the workspace's secrets are kept encrypted", async () => {
  const { token, form } = await registerConfirmed(api);
  await setUp(token);
  const { rows } = await api.database.pool.query(
    "select w.secrets from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [form.accountName],
  );
  expect(rows[0].secrets).toMatch(/^v1\./);
  expect(rows[0].secrets).not.toContain("secret of this workspace");
  expect(JSON.parse(api.services.secrets.decrypt(rows[0].secrets, "workspace"))).toMatchObject({
    encryptionKey: "a secret of this workspace",
  });
});

test("a trial whose plan sets an amount of memory gets it with its first workspace", async () => {
  const { token } = await registerConfirmed(api);
  await api.database.pool.query(`update plan_specs set spec = spec || '{"memoryMb": 2048}' where id = 'trial-1'`);
  onTestFinished(async () => void (await api.database.pool.query("update plan_specs set spec = spec - 'memoryMb' where id = 'trial-1'")));
  await setUp(token);
  expect((await api.call("GET", "/api/instance/monitoring", { token })).json()).toMatchObject({ plannedMb: 2048 });
});

test("setup is refused before the address is confirmed", async () => {
  const { token } = await registerSomebody(api);
  expect((await setUp(token)).json()).toMatchObject({ status: 403, code: "email_not_confirmed" });
});

test("a database that can't start the trial right now is no fault of the account: 503, and the next try succeeds", async () => {
  const { token } = await registerConfirmed(api);
  const { pool } = api.database;
  // As when another session keeps a lock for too long.
  await pool.query(`create function trial_waits() returns trigger language plpgsql as
    $$ begin raise exception 'canceling statement due to lock timeout' using errcode = '55P03'; end $$`);
  await pool.query("create trigger trial_waits before insert on subscriptions for each row execute function trial_waits()");
  try {
    expect((await setUp(token)).statusCode).toBe(503);
  } finally {
    await pool.query("drop function trial_waits cascade");
  }
  expect((await setUp(token)).statusCode).toBe(202);
});

test("of several clicks, one launches", async () => {
  const { token, form } = await registerConfirmed(api);
  const codes = (await Promise.all([setUp(token), setUp(token), setUp(token)])).map((answer) => answer.statusCode);
  expect(codes.sort()).toEqual([202, 409, 409]);
  const { rows } = await api.database.pool.query(
    "select count(*)::int as n from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [form.accountName],
  );
  expect(rows[0].n).toBe(1);
});

test("what the workspace is for first is stored with the launch, and may be left open", async () => {
  const launchFor = async (purpose?: unknown) => {
    const { token, form } = await registerConfirmed(api);
    const answer = await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC", purpose } });
    const { rows } = await api.database.pool.query(
      "select s.answer from survey_answers s join accounts a on a.id = s.account_id where a.name = $1 and s.kind = 'setup'",
      [form.accountName],
    );
    return { answer, stored: rows.map((row: { answer: unknown }) => row.answer) };
  };
  for (const purpose of workspacePurposes) {
    const { answer, stored } = await launchFor(purpose);
    expect([answer.statusCode, stored]).toEqual([202, [{ purpose }]]);
  }
  const open = await launchFor();
  expect([open.answer.statusCode, open.stored]).toEqual([202, []]);
  const refused = await launchFor("mining");
  expect(refused.answer.json()).toMatchObject({ status: 422, errors: [{ path: "purpose", code: "value.invalid" }] });
  expect(refused.stored).toEqual([]);
});

test.each(["", "Mars/Olympus", "+02:00", "Etc/UTC; rm -rf /", 7])("the timezone %j is refused", async (timezone) => {
  const { token } = await registerConfirmed(api);
  const answer = await api.call("POST", "/api/account/setup", { token, body: { timezone } });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().errors).toMatchObject([{ path: "timezone", code: "timezone.invalid" }]);
});

test("without a timezone the workspace uses Etc/UTC", async () => {
  const { token } = await registerConfirmed(api);
  const answer = await api.call("POST", "/api/account/setup", { token, body: {} });
  expect(answer.json().user.account.instance).toMatchObject({ timezone: "Etc/UTC", versionName: "2.40.7" });
});

test("a new customer is offered every version, and launches the chosen one", async () => {
  const { token } = await registerConfirmed(api);
  const { versions, current } = (await api.call("GET", "/api/instance/versions", { token })).json();
  expect(current).toBe("2.40.7");
  expect(versions).toMatchObject([
    { name: "2.40.7", isPossible: true, needsMigration: false },
    { name: "2.38.7", isPossible: true, needsMigration: false },
  ]);
  const answer = await api.call("POST", "/api/account/setup", { token, body: { versionName: "2.38.7" } });
  expect(answer.json().user.account.instance).toMatchObject({ versionName: "2.38.7" });
});

test("a launch begins with the version before the one that a stopped fleet update holds, unless the customer chooses that", async () => {
  const values = "gen_random_uuid(), 'n8n', '2.40.7', 1, 60, 3, 1, 10, 'ada', 'stopped', now(), now()";
  await api.database.pool.query(
    `insert into fleet_updates (id, engine, to_version, waves, soak_seconds, at_once, most_failures, most_failed_percent, operator, state, stepped_at, started_at) values (${values})`,
  );
  onTestFinished(async () => void (await api.database.pool.query("delete from fleet_updates")));
  for (const [body, versionName] of [
    [{}, "2.38.7"],
    [{ versionName: "2.40.7" }, "2.40.7"],
  ] as const) {
    const { token } = await registerConfirmed(api);
    const answer = await api.call("POST", "/api/account/setup", { token, body });
    expect(answer.json().user.account.instance).toMatchObject({ versionName });
  }
});

test.each(["1.0.0", "", 7, "latest"])("the version %j is refused, and nothing is set up", async (versionName) => {
  const { token } = await registerConfirmed(api);
  const answer = await api.call("POST", "/api/account/setup", { token, body: { versionName } });
  expect(answer.json()).toMatchObject({ status: 422, errors: [{ path: "versionName", code: "version.unknown" }] });
  expect((await api.call("GET", "/api/auth/me", { token })).json().user.account.isSetup).toBe(false);
});

test("a visitor cannot launch a workspace", async () => {
  expect((await api.call("POST", "/api/account/setup", { body: { timezone: "Etc/UTC" } })).json()).toMatchObject({ code: "signed_out" });
});
