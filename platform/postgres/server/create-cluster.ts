/** Creates the database cluster on first use of a data folder, either completely or not at all. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StartTrouble } from "../../start-trouble.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { handOver, type ServerUser } from "./server-user.ts";

export const superuser = "slipway";

/** Paths below `DATA_DIR/postgres`. */
export const clusterFolder = (root: string) => join(root, "cluster");
export const passwordFile = (root: string) => join(root, "password");
export const logFile = (root: string) => join(root, "postgres.log");

/** Whether there is a cluster in `root`; refuses one that these binaries cannot open. */
export function hasCluster(root: string, binaries: PostgresBinaries): boolean {
  if (!existsSync(passwordFile(root))) {
    if (!existsSync(clusterFolder(root))) return false;
    throw new StartTrouble(
      `${passwordFile(root)}, the password of the embedded PostgreSQL, is missing. Restore the file, or the whole data folder, from a backup.`,
    );
  }
  const found = readFileSync(join(clusterFolder(root), "PG_VERSION"), "utf8").trim();
  if (Number(found) === binaries.major) return true;
  throw new StartTrouble(
    `The database in ${root} was created by PostgreSQL ${found}; this release of Slipway includes ${binaries.major}. Start the release it was created with, or choose another DATA_DIR.`,
  );
}

/** Creates the cluster next to its place and moves it there; of two simultaneous starts, one cluster wins and the other is dropped. */
export async function createCluster(root: string, binaries: PostgresBinaries, user: ServerUser, sync: boolean): Promise<void> {
  removeLeftovers(root);
  const beside = `${root}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  mkdirSync(beside, { mode: 0o700 });
  handOver(beside, user);
  try {
    writeFileSync(passwordFile(beside), randomBytes(24).toString("base64url"), { mode: 0o600 });
    handOver(passwordFile(beside), user);
    await runInitdb(beside, binaries, user, sync);
    chmodSync(clusterFolder(beside), 0o700);
    renameSync(beside, root);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (!hasCluster(root, binaries)) throw error;
  }
}

async function runInitdb(beside: string, binaries: PostgresBinaries, user: ServerUser, sync: boolean): Promise<void> {
  const [command, ...args] = [
    ...user.prefix,
    binaries.initdb,
    "-D",
    clusterFolder(beside),
    `--username=${superuser}`,
    `--pwfile=${passwordFile(beside)}`,
    "--auth=scram-sha-256",
    // The builtin provider sorts text the same on every machine, whatever its C library or ICU.
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--text-search-config=english",
    "--no-instructions",
    ...(sync ? [] : ["--no-sync"]),
  ];
  const child = spawn(command as string, args, {
    cwd: beside,
    env: { ...binaries.env, TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
    ...user.become,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code === 0) return;
  if (isDiskFull(output)) throw new StartTrouble(diskFull(dirname(beside)));
  throw new StartTrouble(`The embedded PostgreSQL could not create its database in ${dirname(beside)}:\n${output.trim()}`);
}

export const isDiskFull = (output: string): boolean => /No space left on device|Disk quota exceeded|Check free disk space/.test(output);
export const diskFull = (folder: string): string => `The disk of ${folder} is full. Make room, or choose another DATA_DIR.`;

/** An initdb takes seconds; a folder that is still there after an hour was left by a start that was killed. */
const leftoverMs = 3_600_000;

function removeLeftovers(root: string): void {
  const folder = dirname(root);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(root)}.new-`)) continue;
    const madeAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt > leftoverMs) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
