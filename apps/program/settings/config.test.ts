import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ConfigInvalid } from "./environment.ts";
import { readConfig } from "./config.ts";

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig({ DATA_DIR: freshFolder(), ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return [...error.problems];
    throw error;
  }
}

const namesOf = (problems: readonly string[]): string[] => problems.map((problem) => problem.split(":")[0]!).toSorted();

test("without settings everything runs embedded, on this machine only", () => {
  const dataDir = freshFolder();
  expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({
    production: false,
    port: 3000,
    hosts: ["127.0.0.1", "::1"],
    publicUrl: "http://localhost:3000",
    panelHost: "localhost:3000",
    secure: false,
    dataDir,
    enginesDir: join(dataDir, "engines"),
    databaseUrl: undefined,
    databasePoolMax: 10,
    roles: new Set(["api", "worker", "gateway"]),
    engine: "n8n",
    driver: "process",
    smtpUrl: undefined,
    logLevel: "info",
    trustedProxyHops: 0,
    workspaceMemoryMb: 1024,
    lastBackupDays: 30,
    refundLimit: 500,
    workspaceSleep: "auto",
    workspaceFinishSeconds: 120,
    workspacePool: "auto",
  });
});

test("an empty setting counts as not set", () => {
  expect(
    readConfig({ DATA_DIR: freshFolder(), PORT: "", HOST: "", PUBLIC_URL: "", DATABASE_URL: "", ROLES: "", LOG_LEVEL: "" }),
  ).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test("all invalid settings are reported together, by name", () => {
  const problems = problemsOf({
    PORT: "70000",
    PUBLIC_URL: "ftp://panel",
    DATABASE_URL: "mysql://x",
    ROLES: "api,cook",
    ENGINE: "make",
    DRIVER: "hope",
    SECRET_KEY: "short",
    SMTP_URL: "mail",
    LOG_LEVEL: "loud",
    TRUSTED_PROXY_HOPS: "-1",
    WORKSPACE_MEMORY_MB: "64",
    TERMS_URL: "terms",
    NODE_ENV: "holiday",
  });
  expect(namesOf(problems)).toEqual([
    "DATABASE_URL",
    "DRIVER",
    "ENGINE",
    "LOG_LEVEL",
    "NODE_ENV",
    "PORT",
    "PUBLIC_URL",
    "ROLES.1",
    "SECRET_KEY",
    "SMTP_URL",
    "TERMS_URL",
    "TRUSTED_PROXY_HOPS",
    "WORKSPACE_MEMORY_MB",
  ]);
});

test("a pool that is too small to work, or that could use up a server's connections, is refused with a sentence", () => {
  const sentence =
    "DATABASE_POOL_MAX: must be a whole number from 5 to 80: with fewer connections work waits for itself, and with more one process uses up PostgreSQL's default of 100";
  for (const given of ["4", "81", "0", "-1", "7.5", "many", "1e9"]) expect(problemsOf({ DATABASE_POOL_MAX: given })).toEqual([sentence]);
  for (const given of ["5", "80"])
    expect(readConfig({ DATA_DIR: freshFolder(), DATABASE_POOL_MAX: given }).databasePoolMax).toBe(Number(given));
});

test("a problem never contains the value, which may be a secret", () => {
  const problems = problemsOf({ SECRET_KEY: "hunter2", DATABASE_URL: "mysql://root:hunter2@db/x", SMTP_URL: "http://me:hunter2@mail" });
  expect(namesOf(problems)).toEqual(["DATABASE_URL", "SECRET_KEY", "SMTP_URL"]);
  expect(problems.join()).not.toContain("hunter2");
});

test("production refuses to start without a secret key, a mail server, its URL and a payment provider, and names all four", () => {
  expect(namesOf(problemsOf({ NODE_ENV: "production" }))).toEqual(["PAYMENTS", "PUBLIC_URL", "SECRET_KEY", "SMTP_URL"]);
  expect(namesOf(problemsOf({ NODE_ENV: "production", PORT: "0", SECRET_KEY: "" }))).toEqual([
    "PAYMENTS",
    "PORT",
    "PUBLIC_URL",
    "SECRET_KEY",
    "SMTP_URL",
  ]);
});

test("metrics on the service's own port are refused, even if it is the default one", () => {
  expect(problemsOf({ PORT: "4000", METRICS_PORT: "4000" })).toEqual([
    "METRICS_PORT: 4000 is the service's port (PORT); metrics need a separate port",
  ]);
  expect(namesOf(problemsOf({ METRICS_PORT: "3000" }))).toEqual(["METRICS_PORT"]);
  expect(problemsOf({ METRICS_PORT: "3001" })).toEqual([]);
});

test("the port on which a proxy asks for host names is neither the service's nor that of metrics", () => {
  expect(namesOf(problemsOf({ CERTIFICATES_PORT: "3000" }))).toEqual(["CERTIFICATES_PORT"]);
  expect(namesOf(problemsOf({ METRICS_PORT: "3001", CERTIFICATES_PORT: "3001" }))).toEqual(["CERTIFICATES_PORT"]);
  expect(problemsOf({ METRICS_PORT: "3001", CERTIFICATES_PORT: "3002" })).toEqual([]);
});

test.each([
  ["worker", true],
  ["api, gateway", true],
  ["gateway", false],
  ["api,worker", false],
  ["", false],
])("production with the roles '%s' and no bucket for backups: refused %s", (ROLES, isRefused) => {
  expect(namesOf(problemsOf({ NODE_ENV: "production", ROLES })).includes("BACKUPS_URL")).toBe(isRefused);
  expect(namesOf(problemsOf({ NODE_ENV: "production", ROLES, BACKUPS_URL: "s3://bucket?region=eu-central-1" }))).not.toContain(
    "BACKUPS_URL",
  );
});

test.each([
  ["http://app.example.com", true],
  ["HTTP://localhost.example.com", true],
  ["https://app.example.com", false],
  ["http://localhost:3000", false],
  ["http://panel.localhost", false],
])("production with the address %s: refused %s", (PUBLIC_URL, isRefused) => {
  expect(
    problemsOf({ NODE_ENV: "production", PUBLIC_URL }).some((problem) => problem.startsWith("PUBLIC_URL: production needs https")),
  ).toBe(isRefused);
});

test("a payment provider without its keys is refused, with the name of each key", () => {
  expect(namesOf(problemsOf({ PAYMENTS: "stripe" }))).toEqual(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]);
  expect(namesOf(problemsOf({ PAYMENTS: "paddle", PADDLE_API_KEY: "a key of paddle" }))).toEqual([
    "PADDLE_CLIENT_TOKEN",
    "PADDLE_WEBHOOK_SECRET",
  ]);
});

test.each([
  ["stripe", { STRIPE_SECRET_KEY: "sk_test_0123456789", STRIPE_WEBHOOK_SECRET: "whsec_0123456789" }, true],
  ["stripe", { STRIPE_SECRET_KEY: "rk_live_0123456789", STRIPE_WEBHOOK_SECRET: "whsec_0123456789" }, false],
  [
    "paddle",
    {
      PADDLE_API_KEY: "a key of paddle",
      PADDLE_CLIENT_TOKEN: "a token of paddle",
      PADDLE_WEBHOOK_SECRET: "one secret",
      PADDLE_ENVIRONMENT: "sandbox",
    },
    true,
  ],
] as const)("production with %s and %o: test keys need a word of the operator", (PAYMENTS, keys, isTest) => {
  const refused = (more = {}) => namesOf(problemsOf({ NODE_ENV: "production", PAYMENTS, ...keys, ...more })).includes("PAYMENTS");
  expect(refused()).toBe(isTest);
  expect(refused({ TEST_PAYMENTS: "allowed" })).toBe(false);
  expect(problemsOf({ PAYMENTS, ...keys })).toEqual([]);
});

test("production with its settings listens on every interface and creates no key", () => {
  const dataDir = freshFolder();
  const secretKey = "a key of at least thirty-two characters";
  const config = readConfig({
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    SMTP_URL: "smtp://mail",
    PUBLIC_URL: "https://app.example.com/",
    PAYMENTS: "paddle",
    PADDLE_API_KEY: "a key of paddle",
    PADDLE_CLIENT_TOKEN: "a token of paddle",
    PADDLE_WEBHOOK_SECRET: "one secret, another one",
  });
  expect(config.payments).toEqual({
    provider: "paddle",
    apiKey: "a key of paddle",
    clientToken: "a token of paddle",
    webhookSecrets: ["one secret", "another one"],
    environment: "production",
  });
  expect(config).toMatchObject({
    hosts: ["::"],
    secretKey,
    secure: true,
    publicUrl: "https://app.example.com",
    panelHost: "app.example.com",
  });
  expect(() => statSync(join(dataDir, "secret-key"))).toThrow("ENOENT");
});

test.each([
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
  "https://example.com/panel",
  "https://example.com/?a=b",
  "https://me:secret@example.com",
])("PUBLIC_URL %s is refused, because workspaces could not get subdomains of it", (PUBLIC_URL) => {
  expect(problemsOf({ PUBLIC_URL })).toEqual([expect.stringMatching(/^PUBLIC_URL: must /)]);
});

test.each(["https://co.uk", "https://CO.uk:8443", "https://kawasaki.jp"])(
  "PUBLIC_URL %s is refused, because it is a public suffix",
  (PUBLIC_URL) => {
    expect(problemsOf({ PUBLIC_URL })).toEqual([expect.stringMatching(/^PUBLIC_URL: must not be a public suffix such as co\.uk/)]);
  },
);

// A service may put its own name in the list, to keep workspaces apart; a local network may have any name of one word.
test.each(["https://acme.co.uk", "https://fly.dev", "http://app:3000", "http://localhost:3000"])(
  "PUBLIC_URL %s is allowed",
  (PUBLIC_URL) => {
    expect(problemsOf({ PUBLIC_URL })).toEqual([]);
  },
);

test("a development secret key is created once, readable only by its owner, and stays the same at the next start", () => {
  const dataDir = freshFolder();
  const { secretKey } = readConfig({ DATA_DIR: dataDir });
  expect(secretKey).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(join(dataDir, "secret-key"), "utf8")).toBe(secretKey);
  expect(statSync(join(dataDir, "secret-key")).mode & 0o777).toBe(0o600);
  expect(readConfig({ DATA_DIR: dataDir }).secretKey).toBe(secretKey);
});

test("an invalid key file is refused, never used or replaced", () => {
  const dataDir = freshFolder();
  readConfig({ DATA_DIR: dataDir });
  writeFileSync(join(dataDir, "secret-key"), "");
  expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(/SECRET_KEY: .*secret-key is damaged/);
});

test("concurrent starts in a new folder all get the same key", async () => {
  const dataDir = freshFolder();
  const module = JSON.stringify(pathToFileURL(join(import.meta.dirname, "config.ts")).href);
  // All wait until each has loaded everything, and then start together.
  const script = `import { readConfig } from ${module}; console.log("loaded"); process.stdin.once("data", () => { console.log(readConfig({ DATA_DIR: process.argv[1] }).secretKey); process.exit(0); });`;
  const starts = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", script, dataDir], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  await Promise.all(starts.map((child) => once(child.stdout, "data")));
  const keys = starts.map(async (child) => String((await once(child.stdout, "data"))[0]).trim());
  for (const child of starts) child.stdin.write("go");
  expect(new Set(await Promise.all(keys))).toEqual(new Set([readFileSync(join(dataDir, "secret-key"), "utf8")]));
});

test("traces are exported to the endpoint and under the name given by OpenTelemetry's own settings", () => {
  const read = (env: Record<string, string>) => readConfig({ DATA_DIR: freshFolder(), ...env }).traces;
  expect(read({ OTEL_SERVICE_NAME: "slipway-staging" })).toBeNull();
  expect(
    read({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20a%20key, x-scope=one",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_SERVICE_NAME: "slipway-staging",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=another,k8s.cluster.name=east%2C1",
    }),
  ).toEqual({
    endpoint: "http://127.0.0.1:4318",
    headers: { authorization: "Bearer a key", "x-scope": "one" },
    compression: "gzip",
    resource: { "service.name": "slipway-staging", "k8s.cluster.name": "east,1" },
  });
  const problems = problemsOf({
    OTEL_EXPORTER_OTLP_COMPRESSION: "zip",
    OTEL_EXPORTER_OTLP_HEADERS: "a%zz",
    OTEL_RESOURCE_ATTRIBUTES: "hunter2",
  });
  expect(namesOf(problems)).toEqual(["OTEL_EXPORTER_OTLP_COMPRESSION", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"]);
  expect(problems.join()).not.toContain("hunter2");
});
