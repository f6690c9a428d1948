/** Runs a RunSpec as a plain child process, without a driver: for qualification and tests of the engine alone. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { fillTemplates } from "#apps/provisioner/drivers/fill-templates.ts";
import { removeFiles, writeFiles } from "#apps/provisioner/drivers/process/storage/write-files.ts";
import type { Engine, EngineHealth } from "#apps/provisioner/engines/engine.ts";
import { findFreePorts } from "#platform/host/find-free-ports.ts";

export interface BareRun {
  /** host:port of the first port. */
  address: string;
  pid: number;
  /** From the start of the process to the first healthy answer. */
  readyMs: number;
  /** Resolves when the process first says that it is ready, with what its health was then. */
  said: Promise<EngineHealth>;
  logs(): Promise<string>;
  stop(): Promise<void>;
}

const bootTimeoutMs = 120_000;
const pollMs = 100;
/** What engines say when another process has taken one of their ports. */
const portTaken = /EADDRINUSE|already in use/;
const mostTries = 3;

/**
 * Starts the process and waits until the engine reports it as healthy; starts it again, with other ports, if something else took one of
 * them before it did. Throws, with the newest output, if it never is healthy.
 */
export async function runBare(engine: Pick<Engine, "health">, spec: RunSpec, folder: string, tries = mostTries): Promise<BareRun> {
  const ports = await findFreePorts(spec.ports);
  const filled = fillTemplates(spec, { folder, address: "127.0.0.1", ports, ready: 3 });
  await removeFiles(folder, spec.absent ?? [], undefined);
  await writeFiles(folder, filled.files, undefined);
  const logPath = join(folder, "output.log");
  const output = openSync(logPath, "a");
  const [program, ...args] = filled.command;
  const startedAtMs = performance.now();
  const child = spawn(program!, args, { cwd: folder, env: filled.env, stdio: ["ignore", output, output, "pipe"] });
  closeSync(output);
  const address = `127.0.0.1:${ports[spec.ports[0]]}`;
  const said = Promise.withResolvers<EngineHealth>();
  (child.stdio[3] as Readable).once("data", () => said.resolve(engine.health(address))).on("error", () => undefined);
  const run = {
    address,
    said: said.promise,
    pid: child.pid ?? 0,
    logs: () => readFile(logPath, "utf8"),
    stop: () => stop(child, spec.stopTimeoutMs),
  };
  try {
    await waitUntilHealthy(engine, run.address, child);
  } catch (error) {
    await run.stop();
    const newest = (await run.logs()).slice(-3000);
    if (tries > 1 && portTaken.test(newest)) return runBare(engine, spec, folder, tries - 1);
    throw new Error(`${(error as Error).message}\n${newest}`, { cause: error });
  }
  return { ...run, readyMs: performance.now() - startedAtMs };
}

async function waitUntilHealthy(engine: Pick<Engine, "health">, address: string, child: ChildProcess): Promise<void> {
  const deadlineMs = performance.now() + bootTimeoutMs;
  for (;;) {
    const health = await engine.health(address);
    if (health.ready) return;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the process ended with ${child.exitCode ?? child.signalCode}`);
    if (performance.now() > deadlineMs) throw new Error(`not ready after ${bootTimeoutMs} ms: ${health.detail}`);
    await delay(pollMs);
  }
}

async function stop(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  await ended;
  clearTimeout(timer);
}
