/**
 * Inspects files that a tenant made, in a process with no environment, access to one folder only, limits on time and memory, a user that
 * owns nothing, and a sandbox. Hosts without such users or sandboxes do without those two.
 */
import { spawn } from "node:child_process";
import { chown, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { z } from "zod";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { findHostTools, userOptions } from "../../drivers/process/host/host-tools.ts";
import { buildPrison } from "../../drivers/process/sandbox/prisoner.ts";
import { findSandboxTools } from "../../drivers/process/sandbox/sandbox-tools.ts";

const counted = z.object({ workflows: z.int().min(0), credentials: z.int().min(0), executions: z.int().min(0) });
export type Counted = z.infer<typeof counted>;

/** SQLite checks about 100 MB a second. */
const timeoutMs = 20 * 60_000;
const heapMb = 256;
/** Kilobytes of address space, so that a crafted file cannot exhaust the host's memory. */
const memoryKb = 4 * 1024 * 1024;
const mostOutput = 10_000;
/** Megabytes of memory: the heap, and what SQLite uses in addition. */
const memoryMb = 768;
/** An unused user id: some hosts have real processes that run as 65534. */
const nobody = 199_998;

/** The exit code of an inspector that refuses the files; any other failure says nothing about them. */
const refusedCode = 65;
/** Before the inspector's own text: what it throws is its refusal. */
const refusing = `process.on("uncaughtException", (error) => { console.error(error?.message ?? error); process.exit(${refusedCode}); });\n`;
/** The disk and the memory are this host's. */
const oursWords = /disk is full|no space left|disk I\/O error|out of memory|allocation failed|failed to allocate/i;

/**
 * Runs `inspector` (see EngineBackups) on `folder`. Rejects with BackupFailure: `damaged` if it refuses the files, `uninspected` if it is
 * killed, hangs or cannot be run.
 */
export async function inspectFiles(inspector: string, folder: string): Promise<Counted> {
  const output = await runOnFiles(inspector, folder);
  try {
    return counted.parse(JSON.parse(output));
  } catch (error) {
    throw new BackupFailure("damaged", `the inspection printed something unexpected: ${output.slice(0, 200)}`, { cause: error });
  }
}

/** Runs the program as an inspector is run, and resolves with what it prints; rejects in the same way. `signal` kills it. */
export async function runOnFiles(program: string, folder: string, signal?: AbortSignal): Promise<string> {
  const { setpriv, canChangeUser } = findHostTools();
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    "--permission",
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
    "--no-warnings",
    "--input-type=module-typescript",
    "-",
    folder,
  ];
  const become = setpriv === undefined ? [] : canChangeUser ? [setpriv, ...userOptions(nobody)] : [setpriv, "--no-new-privs"];
  if (canChangeUser) await giveTo(folder, nobody);
  const limits = process.platform === "linux" ? `ulimit -c 0; ulimit -v ${memoryKb} 2>/dev/null;` : "";
  const { tools } = canChangeUser ? findSandboxTools() : {};
  const prison = tools && buildPrison(tools, folder, [process.execPath], memoryMb);
  const command = [...(prison?.bounds ?? []), "/bin/sh", "-c", `${limits} exec "$@"`, "sh", ...become, ...(prison?.view ?? []), ...node];
  try {
    return await read(command, program, prison?.filter, signal);
  } finally {
    await prison?.remove();
  }
}

async function read([shell, ...args]: string[], program: string, filter: Buffer | undefined, signal?: AbortSignal): Promise<string> {
  const child = spawn(shell!, args, {
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    ...(signal && { signal }),
  });
  // Without a sandbox, nothing reads it.
  (child.stdio[3] as Writable).on("error", () => undefined).end(filter);
  let [output, trouble] = ["", ""];
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(0, mostOutput)));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (trouble = (trouble + text).slice(-2_000)));
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(refusing + program);
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0)
    throw new BackupFailure(
      code === refusedCode && !oursWords.test(trouble) ? "damaged" : "uninspected",
      `what was copied could not be opened: ${trouble.trim() || `the inspection ended with ${code ?? "a signal"}`}`,
    );
  return output;
}

/** The folder contains only files and folders: the extraction made sure of that. */
async function giveTo(folder: string, uid: number): Promise<void> {
  await chown(folder, uid, uid);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), uid, uid);
}
