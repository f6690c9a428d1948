/**
 * Writes a spec's files below the workspace's data. The workspace could have put a link to anywhere in the way, so if it has its own user,
 * the files are written as that user and never as root.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { RunSpec } from "../../driver.ts";
import { runProgram, type Owner } from "../host/run-program.ts";

const writeTimeoutMs = 10_000;
/** Allows for a folder with very many files. */
const removeTimeoutMs = 60_000;

const writeScript = `
umask 077
mkdir -p -- "$(dirname -- "$1")" && cat > "$3" && chmod "$2" "$3" && mv -fT -- "$3" "$1" && exit
rm -f -- "$3"
exit 1
`;

/** Removes what must not exist when the process starts, as the workspace's own user; missing paths are fine. */
export async function removeFiles(data: string, paths: readonly string[], owner: Owner | undefined): Promise<void> {
  if (paths.length === 0) return;
  const targets = paths.map((each) => path.join(data, each));
  if (owner) return runProgram({ program: "/bin/rm", args: ["-rf", "--", ...targets], owner, cwd: data, timeoutMs: removeTimeoutMs });
  for (const target of targets) await rm(target, { recursive: true, force: true });
}

/**
 * Replaces each file as a whole: a reader finds the old one or the new one, never a part. A file that cannot be put in place leaves nothing
 * behind.
 */
export async function writeFiles(data: string, files: RunSpec["files"], owner: Owner | undefined): Promise<void> {
  for (const file of files) {
    const target = path.join(data, file.path);
    const beside = path.join(path.dirname(target), `.new-${randomBytes(6).toString("hex")}`);
    if (owner) await writeAs(owner, data, [target, file.mode.toString(8), beside], file.content);
    else await writeDirectly(target, beside, file);
  }
}

function writeAs(owner: Owner, cwd: string, args: readonly string[], input: string): Promise<void> {
  return runProgram({ program: "/bin/sh", args: ["-c", writeScript, "sh", ...args], owner, cwd, input, timeoutMs: writeTimeoutMs });
}

async function writeDirectly(target: string, beside: string, file: RunSpec["files"][number]): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  try {
    await writeFile(beside, file.content, { mode: 0o600, flag: "wx" });
    await chmod(beside, file.mode);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
