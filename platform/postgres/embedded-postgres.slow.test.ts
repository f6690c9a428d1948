import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, type ClientConfig } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { canReach, ordinaryUser } from "#testing/program/ordinary-user.ts";
import { findPostmaster, stopPostmaster } from "./server/postmaster.ts";

const program = fileURLToPath(import.meta.resolve("#testing/program/hold-data-folder.ts"));
const isRoot = process.getuid?.() === 0;
const somebody = ordinaryUser([program, process.execPath]);

interface Holder {
  child: ChildProcess;
  adopted?: boolean;
  connection?: ClientConfig;
  refusal?: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

async function hold(dataDir: string, user: "root" | "ordinary" = isRoot ? "root" : "ordinary", path?: string): Promise<Holder> {
  const { prefix, become } = user === "ordinary" ? somebody : { prefix: [], become: {} };
  const [command, ...args] = [...prefix, process.execPath, program, dataDir];
  const env = { ...process.env, PATH: [path, process.env["PATH"]].filter(Boolean).join(":") };
  const child = spawn(String(command), args, { ...become, env, cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const end = (act: () => void) => async () => {
    act();
    await ended;
  };
  return { child, ...(JSON.parse(line) as object), stop: end(() => child.stdin?.end()), kill: end(() => child.kill("SIGKILL")) };
}

/** A data folder that does not exist yet, in a folder of the user; whatever runs in it is stopped at the end. */
function dataFolder(user: "root" | "ordinary" = "root", name = "data"): string {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "slipway-test-data-")));
  chmodSync(parent, 0o755);
  if (user === "ordinary" && somebody.become.uid && somebody.become.gid) chownSync(parent, somebody.become.uid, somebody.become.gid);
  const folder = join(parent, name);
  onTestFinished(async () => {
    if (existsSync(clusterOf(folder))) await stopPostmaster(clusterOf(folder));
    rmSync(parent, { recursive: true, force: true });
  });
  return folder;
}

const clusterOf = (dataDir: string) => join(dataDir, "postgres", "cluster");

async function query(connection: ClientConfig | undefined, text: string): Promise<unknown[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe.each(isRoot ? (["root", "ordinary"] as const) : (["ordinary"] as const))("as %s", (user) => {
  test("a second start says that the data folder is in use and leaves the first alone", async () => {
    const dataDir = dataFolder(user);
    const first = await hold(dataDir, user);
    expect(outcome(first)).toEqual({ adopted: false });
    const second = await hold(dataDir, user);
    expect(second.refusal).toContain(`The data folder ${dataDir} is in use by another Slipway (process ${await pidOf(first)}).`);
    expect(await query(first.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await first.stop();
    expect(findPostmaster(clusterOf(dataDir))).toBeUndefined();
  });

  test("a start after the program was killed adopts its database, data and all", async () => {
    const dataDir = dataFolder(user);
    const first = await hold(dataDir, user);
    await query(first.connection, "create table kept as select 42 as answer");
    const postmaster = findPostmaster(clusterOf(dataDir))?.pid;
    await first.kill();
    const second = await hold(dataDir, user);
    expect(outcome(second)).toEqual({ adopted: true });
    expect(findPostmaster(clusterOf(dataDir))?.pid).toBe(postmaster);
    expect(await query(second.connection, "select answer from kept")).toEqual([{ answer: 42 }]);
    await second.stop();
    expect(findPostmaster(clusterOf(dataDir))).toBeUndefined();
  });

  test("a folder with spaces in a path too long for a socket works, and its socket stays private", async () => {
    const dataDir = dataFolder(user, join('a folder, "with" spaces', "x".repeat(100)));
    const holder = await hold(dataDir, user);
    expect(outcome(holder)).toEqual({ adopted: false });
    expect(await query(holder.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    const host = holder.connection?.host ?? "";
    onTestFinished(() => rmSync(host, { recursive: true, force: true }));
    expect(dirname(host)).toBe(realpathSync(tmpdir()));
    expect(statSync(host).mode & 0o777).toBe(0o700);
    await holder.stop();
  });
});

const outcome = ({ adopted, refusal }: Holder) => ({ adopted, refusal });

/** Seen from outside: `unshare` and Node share a process. */
const pidOf = async ({ connection, child }: Holder) => {
  const [row] = (await query(connection, "select count(*)::int as sessions from pg_locks where locktype = 'advisory' and granted")) as [
    { sessions: number },
  ];
  expect(row.sessions).toBe(1);
  return child.pid;
};

test("two simultaneous first starts share one database, and one of them is refused", async () => {
  const dataDir = dataFolder();
  mkdirSync(dataDir);
  const both = await Promise.all([hold(dataDir), hold(dataDir)]);
  expect(both.filter(({ refusal }) => refusal?.startsWith("DataFolderInUse"))).toHaveLength(1);
  const winner = both.find(({ refusal }) => !refusal);
  expect(await query(winner?.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await winner?.stop();
});

test("a killed database recovers, although another process now has its process number", async () => {
  const dataDir = dataFolder();
  const first = await hold(dataDir);
  await query(first.connection, "create table kept as select 42 as answer");
  const pidFile = join(clusterOf(dataDir), "postmaster.pid");
  const found = readFileSync(pidFile, "utf8");
  const killed = findPostmaster(clusterOf(dataDir))?.pid ?? 0;
  process.kill(killed, "SIGKILL");
  await first.kill();
  await expect.poll(() => findPostmaster(clusterOf(dataDir))).toBeUndefined();
  writeFileSync(pidFile, found.replace(String(killed), String(process.pid)));
  const second = await hold(dataDir);
  expect(outcome(second)).toEqual({ adopted: false });
  expect(await query(second.connection, "select answer from kept")).toEqual([{ answer: 42 }]);
  await second.stop();
});

test("an unfinished first start is neither used nor kept", async () => {
  const dataDir = dataFolder();
  const leftover = join(dataDir, "postgres.new-1-abc");
  mkdirSync(join(leftover, "cluster"), { recursive: true });
  utimesSync(leftover, 1000, 1000);
  const holder = await hold(dataDir);
  expect(outcome(holder)).toEqual({ adopted: false });
  expect(existsSync(leftover)).toBe(false);
  await holder.stop();
});

test("a start that cannot create its database stops the server again", async () => {
  const dataDir = dataFolder();
  const first = await hold(dataDir);
  // Without its template no database can be made.
  const admin = { ...first.connection, database: "postgres" };
  for (const statement of ["alter database template1 is_template false", "drop database template1", "drop database slipway with (force)"])
    await query(admin, statement);
  await first.stop();
  const second = await hold(dataDir);
  expect(second.refusal).toContain('template database "template1" does not exist');
  expect(findPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("the server listens on its socket only, and the password is private", async () => {
  const dataDir = dataFolder();
  const holder = await hold(dataDir);
  expect(
    await query(
      holder.connection,
      "select current_setting('listen_addresses') as addresses, current_setting('server_encoding') as encoding",
    ),
  ).toEqual([{ addresses: "", encoding: "UTF8" }]);
  expect(statSync(join(dataDir, "postgres", "password")).mode & 0o777).toBe(0o600);
  await expect(query({ ...holder.connection, password: "guessed" }, "select 1")).rejects.toThrow("password authentication failed");
  await holder.stop();
});

test("a data folder that cannot be written to is refused with a clear message", async () => {
  const dataDir = dataFolder("root");
  mkdirSync(dataDir, { mode: 0o555 });
  const refused = await hold(join(dataDir, "below"), "ordinary");
  expect(refused.refusal).toContain(`StartTrouble: The data folder ${join(dataDir, "below")} can't be written to (EACCES).`);
});

test("a file in place of the data folder is refused with a clear message", async () => {
  const dataDir = dataFolder();
  writeFileSync(dataDir, "");
  expect((await hold(dataDir)).refusal).toContain(`The data folder ${dataDir} can't be created because a file of that name exists.`);
});

/** A PATH on which `unshare` fails as it does where user namespaces are forbidden. */
function withoutNamespaces(dataDir: string): string {
  const folder = join(dirname(dataDir), "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return folder;
}

test.each(isRoot && canReach(program, 65_534) ? ["root"] : [])(
  "where no user namespace is allowed, the database of %s runs as another user, and does so again",
  async () => {
    const dataDir = dataFolder();
    const holder = await hold(dataDir, "root", withoutNamespaces(dataDir));
    expect(outcome(holder)).toEqual({ adopted: false });
    expect(statSync(clusterOf(dataDir)).uid).not.toBe(0);
    await holder.kill();
    const next = await hold(dataDir, "root");
    expect(outcome(next)).toEqual({ adopted: true });
    await next.stop();
    const last = await hold(dataDir, "root");
    expect(outcome(last)).toEqual({ adopted: false });
    await last.stop();
  },
);

test.each(isRoot ? ["root"] : [])(
  "where no user namespace is allowed and nobody else can reach the data folder, %s is told what to do",
  async () => {
    const dataDir = dataFolder();
    const path = withoutNamespaces(dataDir);
    chmodSync(dirname(dataDir), 0o700);
    const { refusal } = await hold(dataDir, "root", path);
    expect(refusal).toContain(
      "StartTrouble: PostgreSQL does not run as root, and this machine does not allow user namespaces (unshare --user). Start Slipway as an ordinary named user",
    );
  },
);
