import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtemp, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { withVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { fillTemplates } from "../../drivers/fill-templates.ts";
import type { EngineWorkspace } from "../engine.ts";
import { removeTree } from "../install/seal-tree.ts";
import { readHookFiles } from "../hook-files.ts";
import { createN8nEngine, type N8nEngineOptions } from "./create-n8n-engine.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-engine-"));
});
afterAll(() => removeTree(folder));

const build = (options: Partial<N8nEngineOptions> = {}) =>
  createN8nEngine({
    enginesDir: "/engines",
    nodeBinary: "/opt/bin/node",
    signingKey: privateKey,
    clock: systemClock,
    secureCookies: true,
    ...options,
  });

const workspace: EngineWorkspace = {
  id: "wksp-1",
  number: 7,
  generation: 3,
  run: true,
  timezone: "Europe/Berlin",
  memoryMb: 1000,
  publicUrl: "https://acme.app.example.com",
  panelUrl: "https://app.example.com",
  secrets: { encryptionKey: "the-key", loginKey: "the-login-key" },
};

test("a workspace gets only the variables meant for it, whatever the control plane's environment contains", () => {
  process.env["SLIPWAY_TEST_SECRET"] = "must not arrive";
  const { env } = build().runSpec(workspace, "2.40.7");
  delete process.env["SLIPWAY_TEST_SECRET"];
  expect(env).toEqual({
    NODE_ENV: "production",
    N8N_RELEASE_TYPE: "stable",
    N8N_CONCURRENCY_PRODUCTION_LIMIT: "5",
    PATH: "/opt/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: "{{folder}}",
    TMPDIR: "{{folder}}/tmp",
    N8N_USER_FOLDER: "{{folder}}",
    N8N_ENCRYPTION_KEY: "the-key",
    GENERIC_TIMEZONE: "Europe/Berlin",
    TZ: "Europe/Berlin",
    N8N_PORT: "{{port.http}}",
    N8N_LISTEN_ADDRESS: "{{address}}",
    N8N_RUNNERS_BROKER_PORT: "{{port.broker}}",
    N8N_RUNNERS_MAX_OLD_SPACE_SIZE: expect.stringMatching(
      /^148 --import=file:\/\/\/engines\/hooks\/[0-9a-f]{64}\/n8n\/workspace-side\/runner-preload\.mts\?messageMb=31&moreMb=280$/,
    ),
    SLIPWAY_MESSAGE_MB: "31",
    NODE_FUNCTION_ALLOW_BUILTIN: "crypto,node:crypto",
    NODE_FUNCTION_ALLOW_EXTERNAL: "luxon,moment",
    N8N_PYTHON_ENABLED: "false",
    N8N_EDITOR_BASE_URL: "https://acme.app.example.com/",
    WEBHOOK_URL: "https://acme.app.example.com/",
    N8N_PROXY_HOPS: "1",
    N8N_SECURE_COOKIE: "true",
    EXTERNAL_HOOK_FILES: expect.stringMatching(/^\/engines\/hooks\/[0-9a-f]{64}\/n8n\/workspace-side\/hooks\.mts$/),
    N8N_ADDITIONAL_NON_UI_ROUTES: "_slipway:cloud",
    N8N_DEPLOYMENT_TYPE: "cloud",
    SLIPWAY_PREPARED: "/engines/prepared/3/n8n-2.40.7",
    SLIPWAY_WORKSPACE_ID: "wksp-1",
    SLIPWAY_PANEL_URL: "https://app.example.com",
    SLIPWAY_READY: "{{ready}}",
    MALLOC_ARENA_MAX: "2",
    MALLOC_TRIM_THRESHOLD_: "131072",
    SLIPWAY_PUBLIC_KEY: publicKey,
    SLIPWAY_LOGIN_KEY: "the-login-key",
    N8N_DIAGNOSTICS_ENABLED: "false",
    N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
    N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: "false",
    N8N_TEMPLATES_ENABLED: "false",
    N8N_PERSONALIZATION_ENABLED: "false",
    N8N_DYNAMIC_BANNERS_ENABLED: "false",
    N8N_HIRING_BANNER_ENABLED: "false",
    N8N_LOG_FORMAT: "json",
    N8N_LICENSE_AUTO_RENEW_ENABLED: "false",
    N8N_COMMUNITY_PACKAGES_ENABLED: "false",
    N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: "true",
    N8N_DISABLED_MODULES: expect.stringMatching(/^mcp-registry(,[a-z-]+)+$/),
    N8N_BLOCK_ENV_ACCESS_IN_NODE: "true",
    N8N_SSRF_PROTECTION_ENABLED: "true",
    N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: "true",
    N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION: "true",
  });
});

test("the editor shows the templates of the configured gallery", () => {
  expect(build({ templatesUrl: "https://gallery.example/api/" }).runSpec(workspace, "2.40.7").env).toMatchObject({
    N8N_TEMPLATES_ENABLED: "true",
    N8N_TEMPLATES_HOST: "https://gallery.example/api/",
  });
});

test("every other part of the spec follows the workspace", () => {
  const { env, ...spec } = build().runSpec(workspace, "2.40.7");
  expect(env).toBeDefined();
  expect(spec).toEqual({
    workspaceId: "wksp-1",
    workspaceNumber: 7,
    run: true,
    generation: 3,
    command: [
      "/opt/bin/node",
      "--max-old-space-size=445",
      expect.stringMatching(/^--import=file:\/\/\/engines\/hooks\/[0-9a-f]{64}\/n8n\/workspace-side\/boot-guard\.mts$/),
      "/engines/n8n-2.40.7/node_modules/n8n/bin/n8n",
      "start",
    ],
    files: [{ path: "tmp/.keep", content: "", mode: 0o600 }],
    absent: [".slipway-license", ".slipway-variables"],
    ports: ["http", "broker"],
    memoryMb: 1000,
    stopTimeoutMs: 35_000,
    image: expect.stringMatching(/^n8n:2\.40\.7-[0-9a-f]{12}$/),
  });
  expect(build().runSpec({ ...workspace, run: false }, "2.40.7").run).toBe(false);
});

test("plain http gets cookies that work on plain http", () => {
  expect(build({ secureCookies: false }).runSpec(workspace, "2.40.7").env["N8N_SECURE_COOKIE"]).toBe("false");
});

test("executions are kept in the configured number and for the configured time", () => {
  const { env } = build().runSpec({ ...workspace, executions: { keep: 250, maxAgeHours: 168 } }, "2.40.7");
  expect(env).toMatchObject({ EXECUTIONS_DATA_PRUNE: "true", EXECUTIONS_DATA_PRUNE_MAX_COUNT: "250", EXECUTIONS_DATA_MAX_AGE: "168" });
});

const modulesOf = (features: EngineWorkspace["features"], options: Partial<N8nEngineOptions> = {}) => {
  const { env } = build(options).runSpec({ ...workspace, ...(features && { features }) }, "2.40.7");
  return { history: env["N8N_WORKFLOW_HISTORY_PRUNE_TIME"], disabled: new Set(env["N8N_DISABLED_MODULES"]!.split(",")) };
};

test("the parts of n8n that are loaded follow the plan's labels, as far as they apply", () => {
  const license = { activationKey: "the-licence-key" };
  const features = { enabledFeatures: ["insights-7-days", "workflow-history-5-days", "ldap", "version-control"], n8nLicense: true };
  const free = modulesOf(features);
  expect([free.history, free.disabled.has("insights"), free.disabled.has("ldap"), free.disabled.has("source-control")]).toEqual([
    "24",
    false,
    true,
    true,
  ]);
  const licensed = modulesOf(features, { license });
  expect([
    licensed.history,
    licensed.disabled.has("ldap"),
    licensed.disabled.has("source-control"),
    licensed.disabled.has("log-streaming"),
  ]).toEqual(["120", false, false, true]);
  expect(modulesOf({ enabledFeatures: ["workflow-history-unlimited"], n8nLicense: true }, { license }).history).toBe("-1");
  expect(modulesOf({ enabledFeatures: [] }).disabled.has("insights")).toBe(true);
});

test("community nodes are available as the operator allows, and never in a workspace with the license key", () => {
  const specOf = (communityNodes: "none" | "verified" | "all", workspaceIs = workspace) =>
    build({ enginesDir: folder, communityNodes, license: { activationKey: "key" } }).runSpec(workspaceIs, "2.40.7").env;
  expect(specOf("verified")).toMatchObject({
    N8N_COMMUNITY_PACKAGES_ENABLED: "true",
    N8N_VERIFIED_PACKAGES_ENABLED: "true",
    N8N_UNVERIFIED_PACKAGES_ENABLED: "false",
    npm_config_ignore_scripts: "true",
  });
  expect(specOf("verified")["PATH"]).toMatch(/^\/opt\/bin:.*\/npm-[\d.]+\/bin:\/usr\/bin:\/bin$/);
  expect(specOf("all")["N8N_UNVERIFIED_PACKAGES_ENABLED"]).toBe("true");
  for (const env of [specOf("none"), specOf("all", { ...workspace, features: { enabledFeatures: [], n8nLicense: true } })]) {
    expect(env).toMatchObject({ N8N_COMMUNITY_PACKAGES_ENABLED: "false", N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: "true" });
    expect(env["N8N_DISABLED_MODULES"]!.split(",")).toContain("community-packages");
  }
});

test("the operator's license key goes to workspaces of plans that include it, in a file, and to no other workspace", () => {
  const engine = build({ license: { activationKey: "the-licence-key", serverUrl: "http://127.0.0.1:9/v1" } });
  const specOf = (features?: EngineWorkspace["features"]) => engine.runSpec({ ...workspace, ...(features && { features }) }, "2.40.7");
  const included = specOf({ enabledFeatures: [], n8nLicense: true });
  expect(included.env).toMatchObject({
    N8N_LICENSE_ACTIVATION_KEY_FILE: "{{folder}}/.slipway-license",
    N8N_LICENSE_SERVER_URL: "http://127.0.0.1:9/v1",
    N8N_LICENSE_AUTO_RENEW_ENABLED: "true",
  });
  expect(included.files).toContainEqual({ path: ".slipway-license", content: "the-licence-key", mode: 0o600 });
  expect(JSON.stringify(included.env)).not.toContain("the-licence-key");
  // Each of these runs a tenant's code, or sends the key elsewhere, before the hook removes the key.
  expect(included.absent).toEqual(expect.arrayContaining([".slipway-license", ".env", ".node_modules", ".node_libraries", ".n8n/custom"]));
  for (const features of [undefined, { enabledFeatures: [] }, { enabledFeatures: [], n8nLicense: false }]) {
    const { env, files, absent } = specOf(features);
    expect(absent).toContain(".slipway-license");
    expect(JSON.stringify({ env, files })).not.toMatch(/the-licence-key|LICENSE_ACTIVATION|LICENSE_SERVER/);
    expect(env["N8N_LICENSE_AUTO_RENEW_ENABLED"]).toBe("false");
  }
});

test("a workspace without its secret is not run", () => {
  expect(() => build().runSpec({ ...workspace, secrets: {} }, "2.40.7")).toThrow(/no secret "encryptionKey"/);
});

test("a release that has left the repository is run from where it is installed, and can't be installed", async () => {
  expect(JSON.stringify(build().runSpec(workspace, "2.1.0").command)).toContain("/engines/n8n-2.1.0/");
  expect(await build().isInstalled("2.1.0")).toBe(false);
  await expect(build().install("2.1.0", () => undefined)).rejects.toMatchObject({ code: "unknown" });
});

test("every workspace gets its own secrets", () => {
  const [a, b] = [build().createSecrets(), build().createSecrets()];
  expect(a["encryptionKey"]).toMatch(/^[\w-]{43}$/);
  expect(a["encryptionKey"]).not.toBe(b["encryptionKey"]);
  expect(a["loginKey"]).not.toBe(b["loginKey"]);
});

const readClaims = (path: string) =>
  JSON.parse(Buffer.from(path.split("token=")[1]!.split(".")[0]!, "base64url").toString()) as Record<string, unknown>;

test("a login path is fresh each time and lands inside the workspace only", () => {
  const engine = build();
  const path = engine.loginPath("wksp-1", "/templates/5/setup");
  expect(path).toMatch(/^\/_slipway\/login\?token=[\w.-]+$/);
  expect(path).not.toBe(engine.loginPath("wksp-1", "/templates/5/setup"));
  expect(readClaims(path)).toMatchObject({ audience: "login", workspaceId: "wksp-1", landingPath: "/templates/5/setup" });
  expect(readClaims(engine.loginPath("wksp-1", "//evil.example"))).toMatchObject({ landingPath: "/" });
});

test("a health check never throws and says what is wrong", async () => {
  const engine = build();
  let status = 503;
  const server = createServer((request, response) => response.writeHead(request.url === engine.healthPath ? status : 200).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await engine.health(address)).toEqual({ ready: false, detail: "n8n answers 503: it is still starting" });
  status = 200;
  expect(await engine.health(address)).toEqual({ ready: true });
  await new Promise((resolve) => server.close(resolve));
  expect(await engine.health(address)).toEqual({ ready: false, detail: "n8n does not listen yet" });
});

test("the owner's variables are a file of the workspace and in no environment that a driver's programs run with; braces in them are not treated as templates", () => {
  const value = "{{folder}} and {{port.http}}";
  const secrets = withVariables(workspace.secrets, { revision: 1, variables: [{ name: "GREETING", value, isSecret: true }] });
  const spec = build().runSpec({ ...workspace, secrets }, "2.40.7");
  expect(spec.env).not.toHaveProperty("GREETING");
  const filled = fillTemplates(spec, { folder: "/data", address: "127.0.0.1", ports: { http: 1, broker: 2 } });
  const file = filled.files.find(({ path }) => path === ".slipway-variables")!;
  expect(file.mode).toBe(0o600);
  expect(JSON.parse(Buffer.from(file.content, "base64").toString())).toEqual({ GREETING: value });
});

test("settings that owners may choose reach n8n, and no other name or value does, whatever the row contains", () => {
  const own = [
    ["N8N_LOG_LEVEL", "debug"],
    ["EXECUTIONS_TIMEOUT", "86400"],
    ["GREETING", "hello"],
  ];
  const refused = [
    ["EXECUTIONS_TIMEOUT_MAX", "86401"],
    ["N8N_CONCURRENCY_PRODUCTION_LIMIT", "1000"],
    ["N8N_PAYLOAD_SIZE_MAX", "0"],
    ["N8N_LOG_SCOPES", "{{folder}}"],
    ["N8N_LOG_OUTPUT", "file"],
    ["N8N_ENCRYPTION_KEY", "theirs"],
    ["N8N_BLOCK_ENV_ACCESS_IN_NODE", "false"],
    ["N8N_SSRF_PROTECTION_ENABLED", "false"],
    ["N8N_RUNNERS_MAX_OLD_SPACE_SIZE", "1 --import=file:///tmp/evil.mjs"],
    ["EXTERNAL_HOOK_FILES", "/tmp/hook.js"],
    ["NODE_OPTIONS", "--inspect"],
    ["DB_TYPE", "postgresdb"],
    ["LD_PRELOAD", "/tmp/evil.so"],
    ["SLIPWAY_PUBLIC_KEY", "theirs"],
  ];
  const variables = [...own, ...refused].map(([name, value]) => ({ name: name!, value: value!, isSecret: false }));
  const specOf = (list: typeof variables) =>
    build().runSpec({ ...workspace, secrets: withVariables(workspace.secrets, { revision: 1, variables: list }) }, "2.40.7");
  const [spec, none] = [specOf(variables), specOf([])];
  expect(spec.env).toEqual({ ...none.env, N8N_LOG_LEVEL: "debug", EXECUTIONS_TIMEOUT: "86400" });
  const file = spec.files.find(({ path }) => path === ".slipway-variables")!;
  expect(JSON.parse(Buffer.from(file.content, "base64").toString())).toEqual(Object.fromEntries(own));
});

test("n8n's language is not offered as a setting: its packages bring English only", () => {
  expect(build().ownerSettings.map(({ name }) => name)).not.toContain("N8N_DEFAULT_LOCALE");
});

test("no setting that owners may choose is one that the workspace's own start sets, and none accepts what a shell or a template reads", () => {
  const { ownerSettings, runSpec } = build();
  const { env } = runSpec(workspace, "2.40.7");
  for (const { name, accepts } of ownerSettings) {
    expect(env, name).not.toHaveProperty(name);
    for (const value of ["", "{{folder}}", "/etc/passwd", "a b", "1;id", "$(id)", "--inspect", "a\nb", "1e9", "-1", "0x10"])
      expect(accepts(value), `${name}=${value}`).toBe(false);
  }
});

test("hook files are put in place once, complete and read-only, even by two processes at the same time", async () => {
  const files = readHookFiles(join(folder, "hooks"), "n8n/workspace-side/hooks.mts");
  expect(files.arePlaced()).toBe(false);
  await Promise.all([files.place(), files.place(), files.place()]);
  expect(files.arePlaced()).toBe(true);
  for (const path of [files.entry, dirname(files.entry)]) {
    const { mode } = await stat(path);
    expect(mode & 0o222).toBe(0);
    expect(mode & 0o004).toBe(0o004);
  }
});

test.each([
  ["/webhook/a", true],
  ["/WebHook/a/b?x=/n8n-form-not", true],
  ["/webhook/n8n-forms", true],
  ["/webhook/a/n8n-form", false],
  ["/webhook/a/n8n-form/", false],
  ["/webhook/a/n8n-form?b=c", false],
  ["/form/a", false],
  ["/webhook-waiting/1", false],
  ["/webhook-test/a", false],
  ["/mcp/a", false],
  ["/webhook", false],
])("an answer of %s may show that an execution began: %s", (path, may) => {
  expect(build().executionSign!.path.test(path)).toBe(may);
});

test.each([
  ["/webhook/a", true],
  ["/WEBHOOK/a?b=c", true],
  ["/webhook-waiting/1", true],
  ["/webhook", false],
  ["/webhook-test/a", false],
  ["/form/a", false],
  ["/rest/webhook/a", false],
  ["/?/webhook/a", false],
])("a request to %s calls a webhook: %s", (path, does) => expect(build().webhookPath!.test(path)).toBe(does));

test.each([
  ["/webhook/a", true],
  ["/WEBHOOK/a/chat?b=c", true],
  ["/webhook-waiting/1", true],
  ["/form/a", true],
  ["/Form/a?b=c", true],
  ["/form-waiting/1/n8n-execution-status", true],
  ["/mcp/a", true],
  ["/chat?sessionId=1&executionId=2", true],
  ["/form", false],
  ["/forms/a", false],
  ["/webhook-test/a", false],
  ["/rest/form/a", false],
  ["/?/form/a", false],
])("a request to %s waits in the queue of calls by strangers: %s", (path, does) => expect(build().callPath!.test(path)).toBe(does));
