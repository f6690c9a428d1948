/**
 * What all starts of an installed release share, made once per host by a rehearsal: one start of the release in an empty folder, with
 * throw-away secrets, that ends cleanly. Workspaces can only read it. Without it, or with another Node, they start as usual, only slower.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunSpec } from "../../drivers/driver.ts";
import { findHostTools, userOptions } from "../../drivers/process/host/host-tools.ts";
import type { EngineHealth } from "../engine.ts";
import { holdInstallLock } from "./hold-install-lock.ts";
import { releaseFolder } from "./install-release.ts";
import { rehearse } from "./rehearse.ts";
import { availableMb } from "#platform/host/available-mb.ts";
import { removeTree, sealTree, syncTree } from "./seal-tree.ts";

export interface Preparation {
  enginesDir: string;
  release: { engine: string; version: string };
  /** The Node binary that will run the engine: another one cannot use what it compiles. */
  nodeBinary: string;
  /** A workspace that never belonged to anyone. */
  spec: RunSpec;
  health(address: string): Promise<EngineHealth>;
  /** How long its start may take. */
  readyTimeoutMs: number;
  /** Moves what else starts share from the rehearsal's folder to `prepared`. */
  keep?(folder: string, prepared: string): Promise<void>;
  signal?: AbortSignal | undefined;
  /** Of free disk; replaced in tests. */
  neededMb?: number;
}

/** Raised whenever the kept files change: a host then prepares its releases again. */
export const preparedFormat = "3";

/** Below it, one folder for each Node that runs the release. The workspace's side looks for its own (compile-cache.mts). */
export const preparedFolder = (enginesDir: string, release: Preparation["release"]): string =>
  join(enginesDir, "prepared", preparedFormat, `${release.engine}-${release.version}`);

/** An unused user id, and not the one that opens backups: nothing on this host belongs to it. */
const rehearsingUid = 199_997;
const trialTimeoutMs = 30_000;
/** n8n's takes 140 MB while it is made, of which 90 stay. The rest is reserved for the workspaces. */
const usuallyNeededMb = 1_024;

/** Prepares the release unless that was done. Of two callers one works and the other waits. Rejects if it fails, leaving nothing. */
export async function prepareRelease(preparation: Preparation): Promise<void> {
  const { enginesDir, release, signal } = preparation;
  const prepared = preparedFolder(enginesDir, release);
  const user = await chooseUser(preparation);
  const place = join(prepared, user.runtime);
  if (existsSync(place)) return;
  const free = await holdInstallLock(join(enginesDir, `.lock-prepared-${release.engine}-${release.version}`), () => undefined, signal);
  let folder = "";
  try {
    if (existsSync(place)) return;
    // Not before: the process that removes old preparations holds the lock, and removes the folder with the last of them.
    await mkdir(prepared, { recursive: true, mode: 0o755 });
    // We hold the lock, so anything left there belongs to a killed rehearsal.
    const leftovers = (await readdir(prepared)).filter((name) => name.startsWith(".arriving-"));
    for (const name of leftovers) await removeTree(join(prepared, name));
    await refuseWithoutRoom(prepared, preparation.neededMb);
    folder = await mkdtemp(join(prepared, ".arriving-"));
    await chmod(folder, 0o755);
    const arriving = join(folder, "prepared");
    await mkdir(arriving);
    const data = await rehearse({ ...preparation, ...user, folder });
    await rename(join(folder, "compiled", `${user.runtime}-${user.uid}`), join(arriving, "compiled"));
    await preparation.keep?.(data, arriving);
    if (user.isOther) await promisify(execFile)("chown", ["-hR", "0:0", arriving]);
    await sealTree(arriving);
    // A folder can only be moved by a user who may write to it.
    await chmod(arriving, 0o755);
    await syncTree(arriving, signal);
    await rename(arriving, place);
    await chmod(place, 0o555);
  } finally {
    if (folder !== "") await removeTree(folder);
    free();
  }
}

/** A rehearsal that fills the host's disk would stop every workspace's database. */
async function refuseWithoutRoom(folder: string, neededMb = usuallyNeededMb): Promise<void> {
  const freeMb = await availableMb(folder);
  if (freeMb < neededMb) throw new Error(`it needs ${neededMb} MB, and ${freeMb} MB are free`);
}

export interface RehearsalUser {
  uid: number;
  /** Whether that is another user than ours. */
  isOther: boolean;
  /** The prefix of a command run as that user. */
  become: readonly string[];
  /** The names that Node gives its folder of compiled code, without the user: version, processor and V8's own tag. */
  runtime: string;
}

/** A user that owns nothing, if this host has such users and they can read the engine; otherwise our own. */
async function chooseUser({ enginesDir, release, nodeBinary }: Preparation): Promise<RehearsalUser> {
  const { setpriv, canChangeUser } = findHostTools();
  const own = { uid: process.getuid?.() ?? 0, isOther: false, become: [] };
  const others =
    setpriv !== undefined && canChangeUser ? [{ uid: rehearsingUid, isOther: true, become: [setpriv, ...userOptions(rehearsingUid)] }] : [];
  const ask = [
    nodeBinary,
    "-p",
    `require("fs").accessSync(process.argv[1]);
    process.version + "-" + process.arch + "-" + require("v8").cachedDataVersionTag().toString(16).padStart(8, "0")`,
    join(releaseFolder(enginesDir, release), "node_modules"),
  ];
  for (const user of others) {
    const runtime = await answerOf([...user.become, ...ask]).catch(() => undefined);
    if (runtime !== undefined) return { ...user, runtime };
  }
  return { ...own, runtime: await answerOf(ask) };
}

async function answerOf([program, ...args]: string[]): Promise<string> {
  return (await promisify(execFile)(program!, args, { cwd: "/", env: {}, timeout: trialTimeoutMs })).stdout.trim();
}
