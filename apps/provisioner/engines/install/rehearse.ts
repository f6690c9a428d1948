/** One start of an installed release in an empty folder, which ends cleanly as soon as it is ready. */
import { spawn, type ChildProcess } from "node:child_process";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePorts } from "#platform/host/find-free-ports.ts";
import { movePlaces } from "../../drivers/container/launch-order.ts";
import { type FilledSpec, fillTemplates } from "../../drivers/fill-templates.ts";
import { findHostTools } from "../../drivers/process/host/host-tools.ts";
import { atViewPlaces } from "../../drivers/process/sandbox/at-view-places.ts";
import { placesInView } from "../../drivers/process/sandbox/view-places.ts";
import { writeFiles } from "../../drivers/process/storage/write-files.ts";
import type { Preparation, RehearsalUser } from "./prepared-release.ts";

const pollMs = 200;
const address = "127.0.0.1";
const supervisor = join(import.meta.dirname, "../../../../platform/host/end-with-parent.mjs");

/**
 * Returns the folder of data. What Node compiled is in `compiled` beside it: Node writes it only at a clean end. Rejects with the newest
 * output if the release does not become ready or does not end cleanly. It runs as `user`, and ends with this process.
 */
export async function rehearse(rehearsal: Preparation & RehearsalUser & { folder: string }): Promise<string> {
  const { spec, folder, isOther, uid, readyTimeoutMs, signal } = rehearsal;
  const data = join(folder, "data");
  const compiled = join(folder, "compiled");
  const ports = await findFreePorts(spec.ports);
  const filled = fillTemplates(spec, { folder: data, address, ports });
  await mkdir(compiled);
  await mkdir(data, { mode: 0o700 });
  const owner = isOther ? { uid, gid: uid } : undefined;
  if (owner) for (const path of [compiled, data]) await chown(path, owner.uid, owner.gid);
  await writeFiles(data, filled.files, owner);
  signal?.throwIfAborted();
  // Not in the supervisor's environment: as root, it would write into that user's folder.
  const plain = { ...filled, command: [...rehearsal.become, findHostTools().env, `NODE_COMPILE_CACHE=${compiled}`, ...filled.command] };
  const { command, env } = (isOther && inView(rehearsal, plain, data)) || plain;
  const child = spawn(process.execPath, ["--no-warnings", supervisor, ...command], {
    cwd: data,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(-3_000)));
  const ended = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, by) => resolve(code ?? by ?? "unknown"));
  });
  const kill = () => endGroup(child);
  signal?.addEventListener("abort", kill, { once: true });
  const timer = setTimeout(kill, readyTimeoutMs + spec.stopTimeoutMs);
  try {
    await waitUntilReady(rehearsal, `${address}:${ports[spec.ports[0]]}`, ended);
    child.kill("SIGTERM");
    const end = await ended;
    if (end !== 0) throw new Error(`it ended with ${end}`);
    return data;
  } catch (error) {
    throw new Error(`${rehearsal.release.engine} ${rehearsal.release.version} was not prepared: ${(error as Error).message}\n${output}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", kill);
    kill();
    await ended;
  }
}

/** The same where workspaces in sandboxes will run the release; undefined on a host without them. */
function inView({ enginesDir, nodeBinary, folder }: Preparation & { folder: string }, plain: FilledSpec, data: string) {
  const host = { enginesDir, nodeBinary };
  // The rehearsal's own folder is below that of the engines, and moves with it.
  const { env, command } = movePlaces({ ...plain, command: [data, ...plain.command] }, host, placesInView(host));
  const [cwd, ...moved] = command;
  const around = atViewPlaces(host, join(folder, "opt"), cwd!);
  return around && { env, command: [...around, ...moved] };
}

async function waitUntilReady({ health, readyTimeoutMs }: Preparation, at: string, ended: Promise<unknown>): Promise<void> {
  const state = { isOver: false };
  void ended.then(() => (state.isOver = true));
  const deadlineMs = performance.now() + readyTimeoutMs;
  for (;;) {
    const { ready, detail } = await health(at);
    if (ready) return;
    if (state.isOver) throw new Error("it ended before it was ready");
    if (performance.now() > deadlineMs) throw new Error(`it was not ready after ${readyTimeoutMs / 1000} s: ${detail ?? ""}`);
    await delay(pollMs);
  }
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // All its processes have ended.
  }
}
