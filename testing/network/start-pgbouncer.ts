/** A real PgBouncer, Debian's, in front of a test database. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg, { type PoolConfig } from "pg";
import { findDebianProgram, hasDebianPrograms } from "../debian-program.ts";
import { openSilentLine } from "./silent-line.ts";
import { waitFor } from "../wait-for.ts";

const installed = "/usr/sbin/pgbouncer";

/** The path of PgBouncer: installed, or from Debian's package, whose libraries the machine must have. Otherwise a sentence that says why. */
export async function findPgbouncer(): Promise<{ pgbouncer: string } | { missing: string }> {
  if (existsSync(installed)) return { pgbouncer: installed };
  if (!hasDebianPrograms) return { missing: "PgBouncer is not installed, and only Debian has its package" };
  const pgbouncer = await findDebianProgram("pgbouncer", installed.slice(1));
  return promisify(execFile)(pgbouncer, ["--version"]).then(
    () => ({ pgbouncer }),
    () => ({ missing: "PgBouncer of Debian's package lacks libraries here: apt-get install pgbouncer" }),
  );
}

interface TestPgbouncer extends AsyncDisposable {
  /** The address of the database behind it, for DATABASE_URL. */
  url: string;
}

/** An arbitrary user without rights: it refuses to be root. */
const withoutRights = { uid: 65_534, gid: 65_534 };

/** In session mode, on 127.0.0.1, without a password, with at most `most` sessions of the server; `database` is on a local socket. */
export async function startPgbouncer(pgbouncer: string, port: number, database: PoolConfig, most = 40): Promise<TestPgbouncer> {
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(tmpdir(), "slipway-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  // Another user does not reach the server's socket.
  const line = await openSilentLine({ path: `${database.host}/.s.PGSQL.${database.port}` });
  await writeFile(file, config(port, { ...database, host: line.host, port: line.port }, most), { mode: 0o600 });
  if (isRoot) for (const each of [folder, file]) await chown(each, withoutRights.uid, withoutRights.gid);
  const child = spawn(pgbouncer, [file], { stdio: ["ignore", "ignore", "pipe"], ...(isRoot && withoutRights) });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close");
  const url = `postgresql://${database.user}@127.0.0.1:${port}/${database.database}`;
  const stop = async (): Promise<void> => {
    // Ends all sessions.
    if (child.exitCode === null) child.kill("SIGTERM");
    await ended;
    await line[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(() => answers(url), { timeout: 20_000, interval: 50 });
  } catch (error) {
    await stop();
    throw new Error(`PgBouncer did not start:\n${output}`, { cause: error });
  }
  return { url, [Symbol.asyncDispose]: stop };
}

async function answers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("select");
  await client.end();
}

const config = (port: number, { host, port: serverPort, user, password, database }: PoolConfig, most: number): string => `
[databases]
${database} = host=${host} port=${serverPort} dbname=${database} user=${user} password='${String(password).replaceAll("'", "''")}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = ${most}
`;
