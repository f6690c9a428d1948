/**
 * Every trouble that an operator can mend ends each role's process with a sentence that says what to do, a code that is not 0, and no stack.
 * start-trouble.slow.test.ts has those of ports, data folders in use and addresses that do not answer.
 */
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFileSync, spawnSync } from "node:child_process";
import { Client, type ClientConfig } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { findFreePort, prepareSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { quickModules } from "../../tools/process/server-flags.mjs";

type Settings = Record<string, string>;
const secretKey = { SECRET_KEY: "one key for all of these processes" };
const hidden = "hunter2";

async function openOwn({ empty = false } = {}): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty });
  onTestFinished(() => database.close());
  return database;
}

function changed(url: string, change: (url: URL) => void): string {
  const copy = new URL(url);
  change(copy);
  return copy.href;
}

/** The address of the database for a role without any rights but `grants`, in which `$role` is its name. */
async function asRole({ pool, url }: TestDatabase, ...grants: string[]): Promise<string> {
  const name = `role_${newId().slice(-12)}`;
  await pool.query(`create role ${name} login password '${hidden}'`);
  for (const grant of grants) await pool.query(grant.replaceAll("$role", name));
  onTestFinished(async () => void (await pool.query(`drop owned by ${name}; drop role ${name}`)));
  return changed(url, (copy) => Object.assign(copy, { username: name, password: hidden }));
}

async function listenSomewhere(): Promise<number> {
  const port = await findFreePort();
  const server = createServer((socket) => socket.on("error", () => undefined)).listen({ port, host: "127.0.0.1" });
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return port;
}

async function makeReadOnly({ pool, connection, url }: TestDatabase): Promise<string> {
  await pool.query(`alter database ${connection.database} set default_transaction_read_only = on`);
  return url;
}

async function withLock({ connection, url }: TestDatabase): Promise<string> {
  const session = new Client(connection as ClientConfig);
  await session.connect();
  // Of the seeding of plans.
  await session.query("select pg_advisory_lock(7236492)");
  onTestFinished(() => session.end());
  return url;
}

/** Replaces what is at this place of the data folder by a file. */
function putFile({ dataDir }: Slipway, place: string, content = ""): string {
  const path = join(dataDir, place);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const cluster = { DRIVER: "kubernetes", WORKSPACE_IMAGES: "registry.example/slipway" };
const kubeconfig = (server: string, more: object = {}): string =>
  JSON.stringify({
    "current-context": "a",
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    clusters: [{ name: "a", cluster: { server, ...more } }],
    users: [{ name: "a", user: { token: hidden } }],
  });

type Arrange = (slipway: Slipway) => Settings | Promise<Settings>;

const databases: [string, Arrange, RegExp][] = [
  [
    "a wrong password",
    async () => ({ DATABASE_URL: changed((await openOwn()).url, (url) => Object.assign(url, { password: hidden })) }),
    /password authentication failed.*\. Correct the user and the password in DATABASE_URL\./,
  ],
  [
    "a database that does not exist",
    async () => ({ DATABASE_URL: changed((await openOwn()).url, (url) => Object.assign(url, { pathname: "/nowhere" })) }),
    /database "nowhere" does not exist\. Create it .*DATABASE_URL\./,
  ],
  [
    "a role that may create nothing",
    async () => ({ DATABASE_URL: await asRole(await openOwn({ empty: true })) }),
    /permission denied for database .*\. Make the user of DATABASE_URL the owner/,
  ],
  [
    "an api whose role may read nothing",
    async () => ({ DATABASE_URL: await asRole(await openOwn()), MIGRATIONS: "job", ROLES: "api" }),
    /permission denied for schema .*\. Make the user of DATABASE_URL the owner/,
  ],
  [
    "a gateway whose role may read no table",
    async () => {
      const rights = ["grant usage on schema drizzle to $role", "grant select on all tables in schema drizzle to $role"];
      return { DATABASE_URL: await asRole(await openOwn(), ...rights), MIGRATIONS: "job", ROLES: "gateway" };
    },
    /permission denied for table .*\. Make the user of DATABASE_URL the owner/,
  ],
  [
    "the tables of another program",
    async () => {
      const database = await openOwn({ empty: true });
      await database.pool.query("create table accounts (id integer)");
      return { DATABASE_URL: database.url };
    },
    /relation "accounts" already exists\. .*Create a database for Slipway alone\./,
  ],
  [
    "a database that is read-only",
    async () => ({ DATABASE_URL: await makeReadOnly(await openOwn()), ROLES: "worker" }),
    /in a read-only transaction\. DATABASE_URL must lead to the primary/,
  ],
  [
    "too few connections",
    async () => ({ DATABASE_URL: await asRole(await openOwn(), "alter role $role connection limit 1") }),
    /too many connections for role .*\. Raise max_connections/,
  ],
  [
    "a server that accepts and never answers",
    async () => ({ DATABASE_URL: `postgresql://me:${hidden}@127.0.0.1:${await listenSomewhere()}/slipway` }),
    /The database of DATABASE_URL did not answer in time\. .* start again\./,
  ],
  [
    "a server that falls silent during the start",
    async () => ({ DATABASE_URL: await withLock(await openOwn()) }),
    /The database of DATABASE_URL did not answer in time\. .* start again\./,
  ],
  [
    "an authority's file that is missing",
    () => ({ DATABASE_URL: `postgresql://me:${hidden}@127.0.0.1:5432/slipway?sslmode=verify-full&sslrootcert=/no/ca.pem` }),
    /\/no\/ca\.pem can't be used \(ENOENT\)\. It is missing\./,
  ],
  [
    "a socket's folder that is missing",
    () => ({ DATABASE_URL: `postgresql://me:${hidden}@localhost/slipway?host=/no/such` }),
    /connect ENOENT \/no\/such\/.*\. Start it or correct DATABASE_URL\./,
  ],
  ["an address that is none", () => ({ DATABASE_URL: `postgresql://me:${hidden}@:x/` }), /- DATABASE_URL: must be a postgres:\/\/ address/],
];

const places: [string, Arrange, RegExp][] = [
  ["a metrics port in use", async () => ({ METRICS_PORT: String(await listenSomewhere()) }), /EADDRINUSE\)\. Change METRICS_PORT/],
  [
    "a certificates port in use",
    async () => ({ CERTIFICATES_PORT: String(await listenSomewhere()) }),
    /EADDRINUSE\)\. Change CERTIFICATES_PORT/,
  ],
  ["an address of another machine", () => ({ HOST: "203.0.113.7" }), /None of the addresses 203\.0\.113\.7 exists .*\. Set HOST\./],
  [
    "a cluster without its version",
    ({ dataDir }) => (rmSync(join(dataDir, "postgres/cluster/PG_VERSION")), {}),
    /PG_VERSION can't be used \(ENOENT\)\. It is missing\. Restore it/,
  ],
  [
    "a cluster that others may open",
    ({ dataDir }) => (chmodSync(join(dataDir, "postgres/cluster"), 0o777), {}),
    /The embedded PostgreSQL did not start\. Its log, .*[\s\S]*Permissions should be u=rwx/,
  ],
  [
    "a cluster whose password is gone",
    ({ dataDir }) => (rmSync(join(dataDir, "postgres/password")), {}),
    /postgres\/password, .*, is missing\. Restore the file/,
  ],
  [
    "a cluster whose password is another",
    (slipway) => (putFile(slipway, "postgres/password", hidden), {}),
    /refuses the password kept beside it\. Restore the file/,
  ],
  [
    "a cluster whose configuration is broken",
    (slipway) => (putFile(slipway, "postgres/cluster/postgresql.conf", "nonsense\n"), {}),
    /The embedded PostgreSQL did not start\. Its log, .*[\s\S]*contains errors/,
  ],
  [
    "a file in the place of the workspaces",
    (slipway) => (putFile(slipway, "workspaces"), {}),
    /data\/workspaces can't be used \(ENOTDIR\)\. A file is where a folder must be/,
  ],
  [
    "a folder in the place of a file",
    ({ dataDir }) => (mkdirSync(join(dataDir, "host-name")), {}),
    /Something in .*data can't be used \(EISDIR\)\. A folder is where a file must be/,
  ],
  ["a secret's file that is missing", () => ({ SECRET_KEY: "", SECRET_KEY_FILE: "/no/such" }), /- SECRET_KEY_FILE: .*\/no\/such/],
  [
    "plans that are missing",
    () => ({ PLANS_FILE: "/no/plans.json" }),
    /PLANS_FILE, \/no\/plans\.json, can't be used: ENOENT.*\. Correct the file, or PLANS_FILE\./,
  ],
  [
    "plans that are no JSON",
    (slipway) => ({ PLANS_FILE: putFile(slipway, "plans.json", "{") }),
    /The plans of PLANS_FILE, .*plans\.json, can't be used: Expected property name/,
  ],
  [
    "a sender that is no address",
    () => ({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "me" }),
    /MAIL_FROM is not a mail address: me\. Set it to/,
  ],
  ["a bucket's address that is none", () => ({ BACKUPS_URL: "s3://" }), /- BACKUPS_URL: /],
  ["a payment provider without its keys", () => ({ PAYMENTS: "stripe" }), /- STRIPE_SECRET_KEY: /],
];

const drivers: [string, Arrange, RegExp][] = [
  [
    "Docker's socket missing",
    () => ({ DRIVER: "docker", DOCKER_SOCKET: "/no/docker.sock" }),
    /connect ENOENT \/no\/docker\.sock\. Start Docker, correct DOCKER_SOCKET/,
  ],
  [
    "Docker's socket that is a file",
    () => ({ DRIVER: "docker", DOCKER_SOCKET: "/etc/passwd" }),
    /connect ECONNREFUSED \/etc\/passwd\. Start Docker, correct DOCKER_SOCKET/,
  ],
  [
    "a socket's path that is too long",
    () => ({ DRIVER: "docker", DOCKER_SOCKET: `/${"x".repeat(120)}` }),
    /- DOCKER_SOCKET: is longer than the path of a socket may be/,
  ],
  ["no cluster", () => ({ ...cluster, HOME: "/no" }), /No cluster found: .* Set KUBECONFIG/],
  ["a kubeconfig that is missing", () => ({ ...cluster, KUBECONFIG: "/no/kube" }), /\/no\/kube.* Correct KUBECONFIG/],
  [
    "a kubeconfig that is no YAML",
    (slipway) => ({ ...cluster, KUBECONFIG: putFile(slipway, "kube", "a: [b") }),
    /The access to the cluster can't be read: .* Correct KUBECONFIG/,
  ],
  [
    "a cluster that does not answer",
    (slipway) => ({ ...cluster, KUBECONFIG: putFile(slipway, "kube", kubeconfig("https://127.0.0.1:1234")) }),
    /cluster at https:\/\/127\.0\.0\.1:1234 can't be read: .*ECONNREFUSED.*\. Check that the cluster answers/,
  ],
  [
    "an authority of the cluster that is missing",
    (slipway) => ({
      ...cluster,
      KUBECONFIG: putFile(slipway, "kube", kubeconfig("https://127.0.0.1:1234", { "certificate-authority": "/no/ca" })),
    }),
    /cluster at .* can't be read: ENOENT.*\/no\/ca.*\. Check that the cluster answers/,
  ],
];

function expectSentence(output: string, sentence: RegExp): void {
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^ {4}at /m);
  expect(output).not.toContain(hidden);
}

describe.each([
  ["databases", databases],
  ["places and settings", places],
  ["drivers", drivers],
] as const)("%s", (_kind, cases) => {
  test.each(cases)("%s", async (_what, arrange, sentence) => {
    const env: Settings = {};
    // Otherwise the data folder gets a prepared database, which is not used here.
    await using slipway = await prepareSlipway({ env, makesDatabase: cases === databases });
    Object.assign(env, secretKey, await arrange(slipway));
    slipway.launchProgram();
    expect(await slipway.ended()).toEqual({ code: 1, signal: null });
    expectSentence(slipway.output(), sentence);
    // A file there would keep the test's folder from being removed.
    if (statSync(join(slipway.dataDir, "workspaces"), { throwIfNoEntry: false })?.isFile()) rmSync(join(slipway.dataDir, "workspaces"));
  });
});

test.runIf(process.getuid?.() === 0)("a full disk", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "slipway-full-disk-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", dataDir]);
  onTestFinished(() => void execFileSync("umount", [dataDir]));
  spawnSync("dd", ["if=/dev/zero", `of=${join(dataDir, "filler")}`, "bs=64k"], { stdio: "ignore" });
  await using slipway = await prepareSlipway({ env: secretKey, dataDir });
  slipway.launchProgram();
  expect(await slipway.ended()).toEqual({ code: 1, signal: null });
  expectSentence(slipway.output(), /The disk of .*slipway-full-disk-.* is full\. Make room, or choose another DATA_DIR\./);
});

/** They concern only who migrates, or needs more than a command does. */
const notOfCommands = new Set([
  "a role that may create nothing",
  "the tables of another program",
  "too few connections",
  "a server that falls silent during the start",
]);

test.each(databases.filter(([what]) => !notOfCommands.has(what)))(
  "an operator's command says the same of %s, and prints nothing else",
  async (_what, arrange, sentence) => {
    await using slipway = await prepareSlipway({ makesDatabase: true });
    const { PATH, HOME, TMPDIR } = process.env;
    const env = { PATH, HOME, TMPDIR, DATA_DIR: slipway.dataDir, ...secretKey, ...(await arrange(slipway)) };
    const command = [quickModules, join(import.meta.dirname, "../ops/main.ts"), "hosts", "--as", "ada"];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expectSentence(stderr, sentence);
    expect(stderr).not.toMatch(/^\{"level"/m);
  },
);
