/** The real program as a child process, with its own data folder and port, as an operator runs it. */
import { spawn, type ChildProcess } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { engineNames, type EngineName } from "#contract/workspaces/engine-names.ts";
import { findPostmaster } from "#platform/postgres/server/postmaster.ts";
import { serverEnvironment, serverFlags } from "../../tools/process/server-flags.mjs";
import { ask } from "../ask.ts";
import { enginesCacheDir } from "../engines/engines-cache.ts";
import { placeStandInEngine } from "../engines/place-stand-in-engine.ts";
import { placePreparedDatabase } from "./prepared-database.ts";
import { createCustomers, type Customers } from "./slipway-customer.ts";
import { makeSlipwayFolder, notePid, programFolderPrefix, removeSlipwayFolder } from "./slipway-folder.ts";
import { waitFor } from "../wait-for.ts";
import type { OrdinaryUser } from "./ordinary-user.ts";

export interface SlipwayOptions {
  /** Settings in addition to those of every test; read again at each start. */
  env?: Record<string, string | undefined>;
  /**
   * An engine's name: the installed one that tests share. `stand-in` (the default): a small program in n8n's place. `none`: nothing is
   * installed yet.
   */
  engine?: EngineName | "stand-in" | "none";
  user?: OrdinaryUser;
  /** End of the data folder's path; may contain spaces. */
  folderName?: string;
  port?: number;
  /** Another program's folder, which is kept at the end. */
  dataDir?: string;
  /** The folder of another release's program; read again at each start. This clone's by default. */
  programDir?: () => string;
  /** The program creates its database itself, for tests of a first start. Otherwise, except with other users, a prepared one is used. */
  makesDatabase?: boolean;
}

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Slipway extends Customers, AsyncDisposable {
  /** PUBLIC_URL: the panel. */
  url: string;
  port: number;
  dataDir: string;
  enginesDir: string;
  pid(): number;
  /** The embedded database's process number, while it runs. */
  postmasterPid(): number | undefined;
  /** The URL of an account's workspace. */
  workspaceUrl(accountName: string): string;
  /** Everything printed since the latest start. */
  output(): string;
  /** Starts again on the same folder and port; resolves when it is ready. */
  start(): Promise<void>;
  /** Starts it without waiting; for a start that will be refused or killed. */
  launchProgram(): void;
  /** Resolves once /readyz answers 200; rejects with the output if the program ends first. */
  ready(): Promise<void>;
  /** Resolves when the program has ended, for any reason; rejects with its last output if that takes longer. Null: waits indefinitely. */
  ended(limitMs?: number | null): Promise<Ending>;
  signal(name: NodeJS.Signals): Promise<Ending>;
  kill9(): Promise<void>;
  /** Kills the program, its database and its workspaces and deletes its folder. */
  close(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A first start creates a database; on a very busy machine that takes minutes. */
const readyTimeoutMs = 300_000;
/** A program stops waiting for whatever keeps it from ending much earlier: one that still runs then hangs, and its output says where. */
const endedTimeoutMs = 180_000;

/** Starts the program and waits until it is ready. */
export async function startSlipway(options: SlipwayOptions = {}): Promise<Slipway> {
  const slipway = await prepareSlipway(options);
  try {
    await slipway.start();
    return slipway;
  } catch (error) {
    await slipway.close();
    throw error;
  }
}

/** Prepares everything without starting. */
export async function prepareSlipway(options: SlipwayOptions = {}): Promise<Slipway> {
  const port = options.port ?? (await findFreePort());
  const folder = await makeSlipwayFolder();
  const dataDir = options.dataDir ?? join(folder, options.folderName ?? "data");
  const enginesDir = prepareEngines(folder, options.engine ?? "stand-in");
  if (!options.dataDir) {
    mkdirSync(dataDir);
    if (!options.makesDatabase && !options.user && !options.env?.["DATABASE_URL"])
      placePreparedDatabase(dataDir, usesRealEngine(options) ? undefined : programFolderPrefix);
  }
  giveTo(options.user, [folder, enginesDir, ...(options.dataDir ? [] : [dataDir])], folder);
  const url = `http://localhost:${port}`;
  const log = join(folder, "program.log");
  let child: ChildProcess | undefined;
  let wasAskedToEnd = false;
  let logFrom = 0;

  const ended = async (limitMs: number | null = endedTimeoutMs): Promise<Ending> => {
    if (!child) throw new Error("the program was not started");
    const limit = limitMs === null ? undefined : AbortSignal.timeout(limitMs);
    try {
      if (!hasEnded()) await once(child, "exit", { signal: limit });
    } catch (error) {
      throw limit?.aborted ? new Error(`the program has not ended in ${limitMs} ms:\n${slipway.output().slice(-3_000)}`) : error;
    }
    return { code: child.exitCode, signal: child.signalCode };
  };
  const hasEnded = () => !child || child.exitCode !== null || child.signalCode !== null;

  const slipway: Slipway = {
    ...createCustomers(url, options.env?.["PUBLIC_URL"]),
    url,
    port,
    dataDir,
    enginesDir,
    ended,
    pid: () => child!.pid!,
    postmasterPid: () => findPostmaster(join(dataDir, "postgres", "cluster"))?.pid,
    workspaceUrl: (accountName) => `http://${accountName}.localhost:${port}`,
    output: () => readFileSync(log).subarray(logFrom).toString("utf8"),
    launchProgram() {
      logFrom = existsSync(log) ? statSync(log).size : 0;
      const output = openSync(log, "a", 0o600);
      const programDir = options.programDir?.() ?? root;
      // Another release loads its modules by its tools: ours would load this clone's.
      const flags = serverFlags.map((flag) => flag.replace(pathToFileURL(root).href, pathToFileURL(join(programDir, "/")).href));
      const [command, ...args] = [...(options.user?.prefix ?? []), process.execPath, ...flags, "apps/main.ts"];
      const settings = {
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        ENGINES_DIR: enginesDir,
        LOG_LEVEL: "info",
        ALTCHA_MAX_NUMBER: "20",
        // A blank is one more start for every program; `manage-n8n.e2e.test.ts` runs with those that an operator gets.
        WORKSPACE_POOL: "0",
        // Swap that a program adds stays on the host until it is restarted. Tests of sleep ask for a small one.
        WORKSPACE_ZRAM_MB: "0",
        ...(usesRealEngine(options) && { ENGINE: options.engine }),
        ...options.env,
      };
      child = spawn(command!, args, {
        cwd: programDir,
        env: { ...inherited(), ...serverEnvironment, ...settings },
        stdio: ["ignore", output, output],
        ...options.user?.become,
      });
      wasAskedToEnd = false;
      closeSync(output);
      notePid(folder, child.pid);
    },
    async ready() {
      const lookOnce = async () => {
        if (hasEnded()) return;
        const answer = await ask(`${url}/readyz`, { timeoutMs: 5_000 });
        if (answer.status !== 200) throw new Error(`not ready: ${answer.text}`);
      };
      await waitFor(lookOnce, { timeout: readyTimeoutMs, interval: 50 }).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${slipway.output()}`);
      });
      if (hasEnded()) throw new Error(`the program ended (${child?.exitCode ?? child?.signalCode}):\n${slipway.output()}`);
    },
    async start() {
      slipway.launchProgram();
      await slipway.ready();
    },
    async signal(name) {
      wasAskedToEnd = true;
      child!.kill(name);
      return ended();
    },
    async kill9() {
      if (!hasEnded()) await slipway.signal("SIGKILL");
    },
    async close() {
      // Otherwise its failing tests would only say that it does not answer.
      if (child && hasEnded() && !wasAskedToEnd)
        console.error(`The program had ended by itself (${child.exitCode ?? child.signalCode}):\n${slipway.output().slice(-3_000)}`);
      await slipway.kill9();
      await removeSlipwayFolder(folder, dataDir.startsWith(folder) ? dataDir : undefined);
    },
    [Symbol.asyncDispose]: () => slipway.close(),
  };
  return slipway;
}

/**
 * The machine's environment without any settings, neither the tests' nor the developer's. Compiled code is cached between
 * starts, as with `npm start`.
 */
function inherited(): Record<string, string | undefined> {
  const { PATH, HOME, LANG, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, LANG, TMPDIR, NODE_COMPILE_CACHE };
}

/** With a real engine everything is below the data folder, because hostile code searches there for its neighbours' rows. */
const usesRealEngine = ({ engine }: SlipwayOptions): boolean => engineNames.some((name) => name === engine);

function prepareEngines(folder: string, engine: NonNullable<SlipwayOptions["engine"]>): string {
  if (usesRealEngine({ engine })) return enginesCacheDir;
  const enginesDir = join(folder, "engines");
  mkdirSync(enginesDir);
  if (engine === "stand-in") placeStandInEngine(enginesDir);
  return enginesDir;
}

function giveTo(user: OrdinaryUser | undefined, folders: readonly string[], folder: string): void {
  const { uid, gid } = user?.become ?? {};
  if (uid !== undefined && gid !== undefined)
    for (const each of folders.filter((path) => path.startsWith(folder))) chownSync(each, uid, gid);
  // Workspaces run as separate users, who must be able to enter.
  chmodSync(folder, 0o755);
}

/** Low enough not to be taken by an outgoing connection. */
const [firstPort, portCount] = [10_000, 9_000];
/** More than test files run at a time. */
const slices = 15;
/** By this process: the program that will listen there may not do so yet. */
const given = new Map<number, Socket>();

/**
 * Free a moment ago, and given to no other process: on a busy machine seconds pass until the program listens. Ports of this run's other test
 * files are different ones anyway; `reserve` keeps the ports of a second run away.
 */
export async function findFreePort(): Promise<number> {
  const width = portCount / slices;
  const first = firstPort + (Number(process.env["VITEST_POOL_ID"] ?? 0) % slices) * width;
  if (given.size > width / 2) {
    for (const reservation of given.values()) reservation.close();
    given.clear();
  }
  for (;;) {
    const port = first + Math.floor(Math.random() * width);
    const reservation = await reserve(port);
    if (!reservation) continue;
    given.set(port, reservation);
    if (await isFree(port)) return port;
  }
}

/** Takes the UDP port of the same number, which only one process can have; the kernel frees it when the process ends. */
function reserve(port: number): Promise<Socket | undefined> {
  const socket = createSocket("udp4").unref();
  return new Promise((resolve) => {
    socket.once("error", () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(socket));
  });
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
