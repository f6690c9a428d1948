/**
 * Installs a qualified release where all workspaces of this host can read it. It is made in a folder beside its final place and moved there
 * when complete, so that place only ever contains a finished engine.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineInstallFailure } from "../engine.ts";
import { explainNpmFailure } from "./explain-npm-failure.ts";
import { holdInstallLock } from "./hold-install-lock.ts";
import { findDifferences, findMissing, readLock, type LockedPackage } from "./lock-file.ts";
import { buildNativePackages, type NativePackage } from "./native-packages.ts";
import { findNpm, runNpm } from "./run-npm.ts";
import { removeTree, sealTree } from "./seal-tree.ts";
import { availableMb } from "#platform/host/available-mb.ts";
import type { QualifiedRelease } from "../releases/read-releases.ts";

export interface InstallOptions {
  enginesDir: string;
  release: QualifiedRelease;
  /** The Node binary that will run the engine: native packages are built for it. */
  nodeBinary: string;
  nativePackages: readonly NativePackage[];
  /** Places the engine's other files, which each install needs. */
  placeOthers?: () => Promise<void>;
  onProgress?: (percent: number) => void;
  /** Aborts the install with every process it started, and leaves nothing behind. */
  signal?: AbortSignal | undefined;
  /** Path of npm-cli.js, to use instead of the one that is found automatically. */
  npmCli?: string | undefined;
  /** For tests: another registry, called without retries. */
  registry?: string | undefined;
}

/** Folder of an installed release. */
export const releaseFolder = (enginesDir: string, release: { engine: string; version: string }): string =>
  join(enginesDir, `${release.engine}-${release.version}`);

const progressPollMs = 1000;
/** Progress in percent at the end of each part, by the time each takes when everything is compiled: 81 of 148 s were npm's. */
const share = { unpacked: 65, built: 95, compared: 97, sealed: 99 };

/**
 * Installs a release unless it is installed already. Of two callers, in one process or two, one installs and the other waits. Throws
 * EngineInstallFailure.
 */
export async function installRelease(options: InstallOptions): Promise<void> {
  const place = releaseFolder(options.enginesDir, options.release);
  const report = monotonic(options.onProgress ?? (() => undefined));
  const subject = `${options.release.engine} ${options.release.version}`;
  try {
    await mkdir(options.enginesDir, { recursive: true, mode: 0o755 });
    if (!existsSync(place)) await refuseWithoutRoom(options, subject);
    await options.placeOthers?.();
    if (existsSync(place)) return report(100);
    const progressFile = join(options.enginesDir, `.progress-${options.release.engine}-${options.release.version}`);
    const lockFile = join(options.enginesDir, `.lock-${options.release.engine}-${options.release.version}`);
    const free = await holdInstallLock(lockFile, () => report(readProgress(progressFile)), options.signal);
    try {
      // Another process may have held the lock and finished.
      if (!existsSync(place)) await makeAndPlace(options, subject, place, progressFile, report);
    } finally {
      free();
    }
  } catch (error) {
    throw options.signal?.aborted === true ? error : asInstallFailure(subject, error, options.enginesDir);
  }
  report(100);
}

async function makeAndPlace(
  options: InstallOptions,
  subject: string,
  place: string,
  progressFile: string,
  report: (percent: number) => void,
): Promise<void> {
  const prefix = `.installing-${options.release.engine}-${options.release.version}-`;
  // We hold the lock, so anything left here belongs to a killed install.
  const leftovers = (await readdir(options.enginesDir)).filter((name) => name.startsWith(prefix));
  for (const name of leftovers) await removeTree(join(options.enginesDir, name));
  await rm(progressFile, { force: true });
  await refuseWithoutRoom(options, subject);
  const folder = join(options.enginesDir, prefix + randomBytes(6).toString("hex"));
  const tell = (percent: number) => {
    report(percent);
    // For waiting callers; written at most once a second, and removed before the lock is released.
    writeFileSync(progressFile, String(percent));
  };
  try {
    await makeTree(options, subject, folder, tell);
    await rename(folder, place);
  } finally {
    await removeTree(folder);
    await rm(progressFile, { force: true });
  }
}

async function makeTree(options: InstallOptions, subject: string, folder: string, report: (percent: number) => void): Promise<void> {
  const { release, nodeBinary, signal } = options;
  const npmCli = options.npmCli ?? findNpm();
  if (npmCli === undefined) throw new EngineInstallFailure("failed", `${subject} could not be installed: there is no npm on this machine.`);
  const npmArgs = options.registry === undefined ? [] : ["--registry", options.registry, "--fetch-retries=0"];
  await mkdir(folder);
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(release.folder, file), join(folder, file));
  const packages = readLock(join(release.folder, "package-lock.json"));
  const stopWatching = watchUnpacking(folder, packages, (part) => report(part * share.unpacked));
  try {
    // Not `npm ci`: it refuses a lock whose optional packages for other systems the registry lacks.
    const args = ["install", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", ...npmArgs];
    // Exact versions with integrity can't be stale, so cached data is used without revalidation...
    let { code, output } = await runNpm({ nodeBinary, npmCli, cwd: folder, args: [...args, "--prefer-offline"], signal });
    // ...except if the cached list of versions is older than this release.
    if (code !== 0 && /\bETARGET\b/.test(output))
      ({ code, output } = await runNpm({ nodeBinary, npmCli, cwd: folder, args: [...args, "--prefer-online"], signal }));
    if (code !== 0) throw explainNpmFailure(subject, output);
  } finally {
    stopWatching();
  }
  report(share.unpacked);
  const keepFolder = join(options.enginesDir, ".native");
  await buildNativePackages({ subject, folder, keepFolder, packages: options.nativePackages, nodeBinary, npmCli, npmArgs, signal });
  report(share.built);
  const differences = await findDifferences(folder, packages);
  if (differences.length > 0) {
    throw new EngineInstallFailure(
      "not_identical",
      `${subject} was installed with other packages than qualified (${differences.length}): ${differences.slice(0, 5).join("; ")}`,
    );
  }
  report(share.compared);
  // npm may have rewritten it; the qualified one stays.
  await copyFile(join(release.folder, "package-lock.json"), join(folder, "package-lock.json"));
  await sealTree(folder);
  signal?.throwIfAborted();
  report(share.sealed);
}

async function refuseWithoutRoom(options: InstallOptions, subject: string): Promise<void> {
  const freeMb = await availableMb(options.enginesDir);
  if (freeMb < options.release.diskMb) {
    throw new EngineInstallFailure(
      "no_room",
      `${subject} could not be installed: it needs ${options.release.diskMb} MB, and ${freeMb} MB are free in ${options.enginesDir}.`,
    );
  }
}

/** Reports the percentage of packages that npm has begun to unpack, until stopped. */
function watchUnpacking(folder: string, packages: readonly LockedPackage[], onPart: (part: number) => void): () => void {
  const awaited = packages.filter((entry) => !entry.isOptional);
  let missing = awaited;
  let isStopped = false;
  const look = async (): Promise<void> => {
    missing = await findMissing(folder, missing);
    if (isStopped) return;
    onPart(1 - missing.length / Math.max(awaited.length, 1));
    timer = setTimeout(() => void look(), progressPollMs);
  };
  let timer = setTimeout(() => void look(), progressPollMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function monotonic(onProgress: (percent: number) => void): (percent: number) => void {
  let highest = -1;
  return (percent) => {
    const rounded = Math.min(100, Math.floor(percent));
    if (!(rounded > highest)) return;
    highest = rounded;
    onProgress(rounded);
  };
}

function readProgress(path: string): number {
  try {
    return Number(readFileSync(path, "utf8")) || 0;
  } catch {
    return 0;
  }
}

function asInstallFailure(subject: string, error: unknown, enginesDir: string): EngineInstallFailure {
  if (error instanceof EngineInstallFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [code, reason] = /ENOSPC|EDQUOT/.test(message)
    ? (["no_room", `the disk of ${enginesDir} is full. Make room there.`] as const)
    : (["failed", message] as const);
  return new EngineInstallFailure(code, `${subject} could not be installed: ${reason}`, { cause: error });
}
