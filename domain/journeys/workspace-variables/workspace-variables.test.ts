import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isReservedVariable } from "#contract/workspaces/variable.ts";
import { auditLog, workspaces } from "#database/tables.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { needsRestart } from "./change-variables.ts";

let api: TestApi;
beforeAll(async () => (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const owner = () => setUpOwner(api);

const list = async (token: string) =>
  (await api.call("GET", "/api/instance/variables", { token })).json<{ revision: number; variables: object[] }>();
const put = (token: string, revision: number, variables: object[]) =>
  api.call("PUT", "/api/instance/variables", { token, body: { revision, variables } });
const row = async (accountId: string) => (await api.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
/** Nothing is due. */
const settle = (accountId: string) =>
  api.database.db.update(workspaces).set({ reconcileAt: null }).where(eq(workspaces.accountId, accountId));
const url = { name: "API_URL", isSecret: false, value: "https://api.example.com" };
const key = { name: "API_KEY", isSecret: true, value: "very-secret-value" };

test("variables are stored encrypted and passed to the running workspace; a secret value is not shown again", async () => {
  const { token, accountId } = await owner();
  const { generation } = await row(accountId);
  await settle(accountId);
  expect(await list(token)).toEqual({ revision: 0, variables: [] });
  const answer = await put(token, 0, [url, key]);
  expect([answer.statusCode, answer.json()]).toEqual([202, { revision: 1, variables: [{ ...key, value: null }, url] }]);
  const saved = await row(accountId);
  expect(saved).toMatchObject({ generation, variablesRevision: 1, variablesPassed: 0, reconcileAt: expect.any(Date) });
  expect(saved.secrets).not.toContain("very-secret-value");
  const audit = await api.database.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), eq(auditLog.action, "workspace.variables_changed")));
  expect(audit).toEqual([expect.objectContaining({ before: { names: [] }, after: { names: ["API_KEY", "API_URL"] } })]);
  // An omitted value stays; a change without an effect makes nothing due.
  await settle(accountId);
  expect(
    (
      await put(token, 1, [
        { name: "API_KEY", isSecret: true },
        { name: "API_URL", isSecret: false },
      ])
    ).json(),
  ).toMatchObject({ revision: 1 });
  expect(await row(accountId)).toMatchObject({ generation, variablesRevision: 1, reconcileAt: null });
  expect((await put(token, 1, [{ name: "API_KEY", isSecret: true }])).json()).toEqual({
    revision: 2,
    variables: [{ ...key, value: null }],
  });
});

test.each([
  ["a name in lowercase", [{ ...url, name: "api_url" }], "variables.0.name", "variable.name"],
  ["a name that begins with a digit", [{ ...url, name: "1_URL" }], "variables.0.name", "variable.name"],
  ["a name of n8n's", [{ ...url, name: "N8N_ENCRYPTION_KEY" }], "variables.0.name", "variable.reserved"],
  ["a name that a loader obeys", [{ ...url, name: "LD_PRELOAD" }], "variables.0.name", "variable.reserved"],
  ["a name given twice", [url, { ...url, value: "another" }], "variables.1.name", "variable.twice"],
  ["a new one without a value", [{ name: "API_URL", isSecret: false }], "variables.0.value", "variable.value_required"],
  ["a value of several lines", [{ ...url, value: "one\ntwo" }], "variables.0.value", "variable.value"],
  ["a value that is too long", [{ ...url, value: "x".repeat(4097) }], "variables.0.value", "variable.value_length"],
  [
    "too much text in all",
    Array.from({ length: 9 }, (_, n) => ({ ...url, name: `A${n}`, value: "x".repeat(4096) })),
    "variables",
    "variables.too_long",
  ],
  ["too many", Array.from({ length: 51 }, (_, n) => ({ ...url, name: `A${n}` })), "variables", "variables.too_many"],
])("%s is refused at its field, and nothing is saved", async (_what, variables, path, code) => {
  const { token } = await owner();
  const answer = await put(token, 0, variables);
  expect([answer.statusCode, answer.json()]).toMatchObject([422, { code: "validation_failed", errors: [{ path, code }] }]);
  expect(await list(token)).toEqual({ revision: 0, variables: [] });
});

test("a change of a setting that the engine reads at its start restarts the workspace, and a change beside it does not", async () => {
  const { token, accountId } = await owner();
  const level = { name: "N8N_LOG_LEVEL", isSecret: false, value: "debug" };
  const grownBy = async (revision: number, variables: object[]) => {
    const { generation } = await row(accountId);
    expect((await put(token, revision, variables)).statusCode).toBe(202);
    return (await row(accountId)).generation - generation;
  };
  expect(await grownBy(0, [url])).toBe(0);
  expect(await grownBy(1, [url, level])).toBe(1);
  expect(await grownBy(2, [{ ...url, value: "https://other.example.com" }, level])).toBe(0);
  expect(await grownBy(3, [url, { ...level, value: "info" }])).toBe(1);
  expect(await grownBy(4, [level, { ...key, value: "new" }])).toBe(1);
  expect(await grownBy(5, [])).toBe(1);
});

test("an engine that reads all variables at its start is restarted for each change", () => {
  const variables = [{ name: "A", value: "1", isSecret: true }];
  expect(needsRestart([], variables, { settings: [], takesVariablesRunning: true })).toBe(false);
  expect(needsRestart([], variables, { settings: [], takesVariablesRunning: false })).toBe(true);
});

test("a setting that the engine leaves to owners may be set, to an allowed value, and is listed", async () => {
  const { token } = await owner();
  expect((await api.call("GET", "/api/instance/variables/settings", { token })).json()).toEqual({
    settings: [{ name: "N8N_LOG_LEVEL", values: "info, debug" }],
    onlySettingsRestart: true,
  });
  expect((await api.call("GET", "/api/instance/variables/settings", {})).statusCode).toBe(401);
  const level = { name: "N8N_LOG_LEVEL", isSecret: false, value: "silent" };
  expect((await put(token, 0, [level, { ...level, name: "N8N_LOG_OUTPUT", value: "info" }])).json()).toMatchObject({
    errors: [
      { path: "variables.0.value", code: "variable.setting_value" },
      { path: "variables.1.name", code: "variable.reserved" },
    ],
  });
  expect((await put(token, 0, [{ ...level, value: "debug" }])).json()).toMatchObject({ revision: 1, variables: [{ value: "debug" }] });
});

test("a secret value is never revealed by declaring it not secret", async () => {
  const { token } = await owner();
  await put(token, 0, [key]);
  expect((await put(token, 1, [{ name: "API_KEY", isSecret: false }])).json()).toMatchObject({
    errors: [{ path: "variables.0.value", code: "variable.value_required" }],
  });
});

test("of two simultaneous changes, one is the first and the other is refused", async () => {
  const { token } = await owner();
  const answers = await Promise.all([put(token, 0, [url]), put(token, 0, [key])]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({ code: "settings_changed" });
});

test("visitors, and accounts without a workspace, have none", async () => {
  expect((await api.call("GET", "/api/instance/variables", {})).statusCode).toBe(401);
  const { token } = await registerConfirmed(api);
  expect((await api.call("GET", "/api/instance/variables", { token })).json()).toMatchObject({ code: "workspace_not_found" });
  expect((await put(token, 0, [url])).json()).toMatchObject({ code: "workspace_not_found" });
});

test("names that n8n and Node.js read are reserved; names of services that workflows call are not", () => {
  const theirs = [
    "N8N_PORT",
    "DB_TYPE",
    "EXECUTIONS_MODE",
    "QUEUE_BULL_REDIS_HOST",
    "GENERIC_TIMEZONE",
    "WEBHOOK_URL",
    "CREDENTIALS_OVERWRITE_DATA",
    "EXTERNAL_HOOK_FILES",
    "NODE_OPTIONS",
    "NODES_EXCLUDE",
    "NODE_FUNCTION_ALLOW_BUILTIN",
    "CODE_ENABLE_STDOUT",
    "HTTPS_PROXY",
    "NO_PROXY",
    "PATH",
    "HOME",
    "TZ",
    "OPENSSL_CONF",
    "SSL_CERT_FILE",
    "OTEL_SDK_DISABLED",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_COUNT",
    "SSH_ASKPASS",
  ];
  expect(theirs.filter((name) => !isReservedVariable(name))).toEqual([]);
  const owners = [
    "API_URL",
    "OPENAI_API_KEY",
    "STRIPE_SECRET",
    "HTTP_TIMEOUT",
    "PATH_PREFIX",
    "USER_AGENT",
    "TZ_OFFSET",
    "GITHUB_TOKEN",
    "GITLAB_URL",
  ];
  expect(owners.filter(isReservedVariable)).toEqual([]);
});
