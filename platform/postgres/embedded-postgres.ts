/**
 * The database included with the program, so that one command starts everything. It is a real PostgreSQL in a separate
 * session: if the program is killed, it keeps running, and the next start adopts it. If the server ends, it is started again.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type PoolConfig } from "pg";
import { secondMs } from "../clock.ts";
import type { Log } from "../log.ts";
import { StartTrouble } from "../start-trouble.ts";
import {
  clusterFolder,
  createCluster,
  diskFull,
  hasCluster,
  isDiskFull,
  logFile,
  passwordFile,
  superuser,
} from "./server/create-cluster.ts";
import { findPostgresBinaries, type PostgresBinaries } from "./server/postgres-binaries.ts";
import {
  disownPidFile,
  findPostmaster,
  removeStaleSocketLock,
  socketFolderOfPidFile,
  stopPostmaster,
  watchPostmaster,
} from "./server/postmaster.ts";
import { prepareDataFolder } from "./server/prepare-data-folder.ts";
import { chooseServerUser, type ServerUser } from "./server/server-user.ts";
import { chooseSocketFolder, isPrivateFolder, prepareSocketFolder, socketLockOf } from "./server/socket-folder.ts";

export interface EmbeddedPostgres {
  connection: PoolConfig;
  /** Whether it was already running, left by a killed program or used by a running one. */
  adopted: boolean;
  /** Starts the server again whenever it ends, until `stop`. Call it while holding the data folder: one program does it. */
  keepRunning(): void;
  /** Ends every session and the server. Call it last, while holding the data folder (see data-folder-lock.ts). */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  dataDir: string;
  log: Log;
  /** More of postgresql.conf, and no disk sync when the cluster is made: for tests. */
  settings?: Record<string, string>;
}

interface Place {
  root: string;
  binaries: PostgresBinaries;
  user: ServerUser;
}

/** After a crash, a server replays at most max_wal_size (1 GB). */
const readyTimeoutMs = 300_000;
/** Sessions of a killed server notice within seconds; until then PostgreSQL does not start another. */
const oldSessionsTimeoutMs = 30_000;
const maxLogBytes = 10_000_000;
/** How often the running server is looked for: an ended one is replaced before an open page asks again. */
const lookEveryMs = secondMs;
const longestPauseMs = 30 * secondMs;

/**
 * Starts or adopts the database of a data folder and returns when it answers; the database `slipway` then exists.
 * Refuses with StartTrouble. Two programs may call it simultaneously: both get the same server.
 */
export async function startEmbeddedPostgres({ dataDir, log, settings = {} }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = prepareDataFolder(dataDir);
  const root = join(folder, "postgres");
  const binaries = findPostgresBinaries(join(folder, "postgres-libraries"));
  const user = chooseServerUser(binaries, folder, existsSync(root) ? root : undefined);
  const place = { root, binaries, user };
  if (!hasCluster(root, binaries)) {
    log.info({ folder: root }, "creating the embedded database");
    await createCluster(root, binaries, user, settings["fsync"] !== "off");
  }
  const running = await waitUntilReady(place, () => true);
  const { connection, adopted } = running
    ? { connection: running, adopted: true }
    : await start(place, chooseSocketFolder(folder), settings);
  try {
    await createDatabase(connection);
  } catch (error) {
    // On a full disk, for example. Another program's server is left alone.
    if (!adopted) await stop(clusterFolder(root), log);
    throw error;
  }
  log.info(
    { adopted, postmaster: findPostmaster(clusterFolder(root))?.pid },
    adopted ? "adopted the running embedded database" : "the embedded database is running",
  );
  const stopped = new AbortController();
  let kept: Promise<void> | undefined;
  return {
    connection,
    adopted,
    keepRunning: () => void (kept ??= keepRunning(place, () => start(place, connection.host!, settings), stopped.signal, log)),
    async stop() {
      stopped.abort();
      await stop(clusterFolder(root), log);
      await kept;
      // A start that was under way may have come after the stop.
      if (findPostmaster(clusterFolder(root))) await stop(clusterFolder(root), log);
    },
  };
}

/**
 * Starts the server again whenever it has ended: killed, for example because memory was short. Until it answers, running workspaces are
 * served from memory. A start that fails is repeated after at most half a minute. Resolves once `stopped` and no start is under way.
 */
async function keepRunning(place: Place, startAgain: () => Promise<unknown>, stopped: AbortSignal, log: Log): Promise<void> {
  const cluster = clusterFolder(place.root);
  const isThere = watchPostmaster(cluster);
  for (let failures = 0; !stopped.aborted;) {
    const pauseMs = Math.min(lookEveryMs * 2 ** failures, longestPauseMs);
    await sleep(pauseMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    if (stopped.aborted) return;
    try {
      // A server in another container on the same folder is not visible, but answers.
      if (isThere() || (await waitUntilReady(place, () => true))) {
        failures = 0;
        continue;
      }
      if (stopped.aborted) return;
      if (failures === 0) log.error("the embedded database has ended; it is started again");
      await startAgain();
      failures = 0;
      log.info({ postmaster: findPostmaster(cluster)?.pid }, "the embedded database is running again");
    } catch (error) {
      failures += 1;
      if (!stopped.aborted) log.error({ err: error, failures }, "the embedded database could not be started again");
    }
  }
}

/** Throws StartTrouble. */
async function start(
  place: Place,
  socketFolder: string,
  settings: Record<string, string>,
): Promise<{ connection: PoolConfig; adopted: boolean }> {
  const cluster = clusterFolder(place.root);
  prepareSocketFolder(socketFolder, place.user);
  const deadline = Date.now() + oldSessionsTimeoutMs;
  for (;;) {
    disownPidFile(cluster);
    removeStaleSocketLock(cluster, socketLockOf(socketFolder));
    const logFrom = rotateLog(place.root);
    const server = spawnServer(place, { unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`, ...settings });
    const connection = await waitUntilReady(place, server.hasEnded);
    if (connection) return { connection, adopted: findPostmaster(cluster)?.pid !== server.pid };
    // No server is running and ours has ended: if another start had won the race, its server would have been found by now.
    const lines = readFileSync(logFile(place.root)).subarray(logFrom).toString("utf8").trim();
    const isWaitingForSessions = lines.includes("pre-existing shared memory block");
    if (!isWaitingForSessions || Date.now() > deadline) throw startFailed(place, lines, server.error());
    await sleep(250);
  }
}

function spawnServer({ root, binaries, user }: Place, settings: Record<string, string>) {
  // No TCP: only users who can open the socket's folder can even try the password.
  const fixed = {
    listen_addresses: "",
    port: "5432",
    unix_socket_permissions: "0700",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
  };
  const flags = Object.entries({ ...fixed, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [command, ...args] = [...user.prefix, binaries.postgres, "-D", clusterFolder(root), ...flags];
  const output = openSync(logFile(root), "a", 0o600);
  // Detached: Ctrl-C in the terminal reaches only the program, which stops the database as its last act.
  const child = spawn(command as string, args, {
    cwd: "/",
    env: { ...binaries.env, TZ: "UTC" },
    detached: true,
    stdio: ["ignore", output, output],
    ...user.become,
  });
  closeSync(output);
  let error: Error | undefined;
  child.once("error", (problem) => (error = problem));
  child.unref();
  return {
    pid: child.pid,
    error: () => error,
    hasEnded: () => error !== undefined || child.exitCode !== null || child.signalCode !== null,
  };
}

/** Waits for the server of the cluster, whichever process started it; undefined if there is none and `noneIsComing`. */
async function waitUntilReady({ root, user }: Place, noneIsComing: () => boolean): Promise<PoolConfig | undefined> {
  const deadline = Date.now() + readyTimeoutMs;
  const password = readFileSync(passwordFile(root), "utf8");
  while (Date.now() < deadline) {
    const ended = noneIsComing();
    const host = socketFolderOfPidFile(clusterFolder(root));
    if (host !== undefined && isPrivateFolder(host, user)) {
      const connection: PoolConfig = { host, port: 5432, user: superuser, password, database: "slipway", ssl: false };
      // Asked before looking at processes: a server in another container on the same folder answers but is not visible.
      if (await answers(connection)) return connection;
    }
    if (ended && !findPostmaster(clusterFolder(root))) return undefined;
    await sleep(25);
  }
  throw new StartTrouble(`The embedded PostgreSQL did not answer within ${readyTimeoutMs / 1000} s. Its log is ${logFile(root)}.`);
}

async function answers(connection: PoolConfig): Promise<boolean> {
  const client = new Client({ ...connection, database: "postgres", connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code;
    // A server out of connections is alive; a wrong password stays wrong.
    if (code === "53300") return true;
    if (code === "28P01")
      throw new StartTrouble("The embedded PostgreSQL refuses the password kept beside it. Restore the file `password` in its folder.", {
        cause: error,
      });
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(connection: PoolConfig): Promise<void> {
  const client = new Client({ ...connection, database: "postgres" });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'slipway'");
    if (rowCount === 0) await client.query("create database slipway");
  } catch (error) {
    // Made by another start at the same moment.
    if (!["42P04", "23505"].includes((error as { code?: string }).code ?? "")) throw error;
  } finally {
    await client.end();
  }
}

/** Keeps one old log; returns where in the file the next server's lines begin. */
function rotateLog(root: string): number {
  const size = statSync(logFile(root), { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxLogBytes) return size;
  renameSync(logFile(root), `${logFile(root)}.1`);
  return 0;
}

function startFailed({ root }: Place, lines: string, cause: Error | undefined): StartTrouble {
  if (isDiskFull(lines)) return new StartTrouble(diskFull(root));
  return new StartTrouble(
    `The embedded PostgreSQL did not start${cause ? ` (${cause.message})` : ""}. Its log, ${logFile(root)}, ends with:\n${lines.split("\n").slice(-8).join("\n")}`,
    { cause },
  );
}

async function stop(cluster: string, log: Log): Promise<void> {
  const outcome = await stopPostmaster(cluster);
  if (outcome === "immediate") log.warn("the embedded database was stopped immediately; it recovers at the next start");
  else if (outcome === "stuck")
    log.error(
      { postmaster: findPostmaster(cluster)?.pid },
      "the embedded database did not stop; it was left running and will be adopted at the next start",
    );
  else log.info("the embedded database is stopped");
}
