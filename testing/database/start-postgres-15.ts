/** The oldest PostgreSQL that an operator may have: Debian 12's, from its packages. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg, { type PoolConfig } from "pg";
import { chooseServerUser, handOver } from "#platform/postgres/server/server-user.ts";
import { findDebianProgram, hasDebianPrograms } from "../debian-program.ts";
import { makeMemoryFolder } from "../memory-folder.ts";

const major = "15";
const programFolder = `usr/lib/postgresql/${major}/bin`;
const installed = join("/", programFolder, "postgres");

/**
 * The path of its server: installed, or from Debian 12's package, whose libraries the machine must have. A sentence that says why there is
 * none, otherwise.
 */
export async function findPostgres15(): Promise<{ postgres: string } | { missing: string }> {
  if (existsSync(installed)) return { postgres: installed };
  if (!hasDebianPrograms || !/VERSION_CODENAME=bookworm/.test(readFileSync("/etc/os-release", "utf8")))
    return { missing: `PostgreSQL ${major} is not installed, and only Debian 12 has its package` };
  const postgres = await findDebianProgram(`postgresql-${major}`, join(programFolder, "postgres"));
  return promisify(execFile)(postgres, ["--version"]).then(
    () => ({ postgres }),
    () => ({ missing: `PostgreSQL ${major} of Debian's package lacks libraries here: apt-get install postgresql-${major}` }),
  );
}

export interface Postgres15 extends AsyncDisposable {
  /** Of an empty database. */
  connection: PoolConfig;
}

/** Starts one on a local socket, with an empty database. Rejects with what the server wrote if it does not start within a minute. */
export async function startPostgres15(postgres: string): Promise<Postgres15> {
  const initdb = join(dirname(postgres), "initdb");
  const folder = makeMemoryFolder("slipway-test-postgres-15-");
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C" };
  const user = chooseServerUser({ initdb, postgres, major: Number(major), env }, folder);
  const cluster = join(folder, "cluster");
  mkdirSync(cluster, { mode: 0o700 });
  for (const each of [folder, cluster]) handOver(each, user);
  const options = { cwd: folder, env, ...user.become };
  const [command, ...prefix] = [...user.prefix, initdb];
  await promisify(execFile)(
    command,
    [...prefix, "-D", cluster, "--username=slipway", "--auth=trust", "--encoding=UTF8", "--no-sync"],
    options,
  );
  const settings = { listen_addresses: "", unix_socket_directories: folder, fsync: "off", timezone: "UTC", max_connections: "50" };
  const [program, ...before] = [...user.prefix, postgres];
  const server = spawn(
    program,
    [...before, "-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let output = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(server, "close");
  const stop = async (): Promise<void> => {
    // Ends sessions and the server.
    if (server.exitCode === null) server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const connection = { host: folder, port: 5432, user: "slipway", database: "postgres" };
  for (const until = Date.now() + 60_000; !(await answers(connection)); await delay(100))
    if (server.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`PostgreSQL ${major} did not start:\n${output}`);
    }
  return { connection, [Symbol.asyncDispose]: stop };
}

async function answers(connection: PoolConfig): Promise<boolean> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select");
    await client.end();
    return true;
  } catch {
    return false;
  }
}
