import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import type { RunSpec } from "../driver.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { rewriteRecord } from "./running/process-record.ts";
import { listProcesses } from "./running/process-table.ts";
import { workspacePaths } from "./storage/workspace-paths.ts";

let harness: ProcessHarness;
beforeAll(async () => void (harness = await makeProcessHarness()));
afterAll(() => harness.close());

/** Starts a control plane that is about to ensure this spec; `ensured` once it has. */
async function beginInChild(spec: RunSpec): Promise<{ child: ChildProcess; ensured: () => Promise<unknown> }> {
  const options = { workspacesDir: harness.workspacesDir, readablePaths: [...harness.command], spec };
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "../../../../testing/drivers/ensure-in-child.ts"), JSON.stringify(options)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return { child, ensured: () => lines.next() };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/**
 * Every process started for the workspace, known or not: its folder is among their arguments, or among those of the sandbox that they are
 * in. Processes that only hold a sandbox don't count.
 */
async function processesFor(spec: RunSpec): Promise<number[]> {
  const entries = await listProcesses(() => true, false);
  const folder = path.join(harness.workspacesDir, spec.workspaceId, "data");
  const lines = await Promise.all(entries.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  const argsOf = new Map(entries.map(({ pid }, index) => [pid, lines[index]!.split("\0")]));
  const isFor = (args: string[], holder: string[] = []): boolean =>
    !args[0]!.endsWith("bwrap") && (args.includes(folder) || (holder[0]?.endsWith("bwrap") === true && holder.includes(folder)));
  return entries.filter(({ pid, parent }) => isFor(argsOf.get(pid)!, argsOf.get(parent))).map(({ pid }) => pid);
}

/** A process that starts quickly; it complains about the arguments that name its folder, and keeps running. */
const buildIdleSpec = (): RunSpec => buildRunSpec(["/usr/bin/tail", "-f", "/dev/null"]);

async function appears(file: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!existsSync(file) && performance.now() < deadline) await setImmediate();
}

async function timeOneEnsure(): Promise<number> {
  const spec = buildIdleSpec();
  const { child, ensured } = await beginInChild(spec);
  const began = performance.now();
  await ensured();
  const tookMs = performance.now() - began;
  await kill(child);
  await harness.driver.remove(spec.workspaceId);
  return tookMs;
}

test("a control plane killed at any moment of a start leaves one process, which the next one finds", async () => {
  const ensureMs = await timeOneEnsure();
  for (let round = 0; round < 20; round += 1) {
    const spec = buildIdleSpec();
    const { child } = await beginInChild(spec);
    // The worst moment is between a process and its record, when its lock has just appeared: every other round ends there.
    if (round % 2 === 0) await sleep(Math.random() * ensureMs);
    else await appears(workspacePaths(harness.workspacesDir, spec.workspaceId).lock);
    await kill(child);
    expect(await harness.driver.ensure(spec)).toMatchObject({ state: "running" });
    // A second process takes a moment to see that the lock is held.
    await vi.waitFor(async () => expect(await processesFor(spec)).toHaveLength(1), { timeout: 60_000 });
    const running = await processesFor(spec);
    expect(await harness.driver.ensure(spec)).toMatchObject({ state: "running" });
    // One that the killed control plane began may only now get its turn, and finds the lock held or the folder gone.
    await vi.waitFor(async () => expect(await processesFor(spec)).toEqual(running), { timeout: 60_000 });
    await harness.driver.remove(spec.workspaceId);
    await vi.waitFor(async () => expect(await processesFor(spec)).toEqual([]), { timeout: 60_000 });
  }
});

test("a workspace outlives its control plane, and the next one leaves it unchanged", async () => {
  const spec = buildRunSpec(harness.command);
  const { child, ensured } = await beginInChild(spec);
  await ensured();
  const { instance } = await harness.report(spec.workspaceId);
  await kill(child);
  expect(await harness.driver.ensure(spec)).toMatchObject({ state: "running" });
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  await harness.driver.remove(spec.workspaceId);
});

test("several control planes that start the same workspace together start one process", async () => {
  const spec = buildRunSpec(harness.command);
  const drivers = Array.from({ length: 6 }, () => harness.restarted());
  const seen = await Promise.all(drivers.map((driver) => driver.ensure(spec)));
  const { own } = await harness.processes(spec.workspaceId);
  // A second process takes a moment to see that the lock is held.
  await vi.waitFor(async () => expect(await processesFor(spec)).toEqual([own]), { timeout: 60_000 });
  for (const each of seen) expect(each).toMatchObject({ state: "running" });
  await harness.driver.remove(spec.workspaceId);
});

test("a removal interrupted by a kill is completed by the next one", async () => {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const folder = path.join(harness.workspacesDir, spec.workspaceId);
  await rename(folder, path.join(harness.workspacesDir, `.removed-${spec.workspaceId}-1`));
  expect(await harness.driver.observe(spec.workspaceId)).toEqual({ state: "absent" });
  // Otherwise a removal that a sweep began would never be completed.
  expect(await harness.driver.listStored!()).toContain(spec.workspaceId);
  await harness.driver.remove(spec.workspaceId);
  expect(await harness.driver.listStored!()).not.toContain(spec.workspaceId);
  expect((await readdir(harness.workspacesDir)).filter((name) => name.includes(spec.workspaceId))).toEqual([]);
  expect(await processesFor(spec)).toEqual([]);
});

test("a workspace that ran before the host was restarted is distinguished from one that ended", async () => {
  const spec = buildIdleSpec();
  const { workspaceId } = spec;
  await harness.driver.ensure(spec);
  const paths = workspacePaths(harness.workspacesDir, workspaceId);
  const record = await readFile(paths.record);
  await harness.driver.ensure({ ...spec, run: false });
  expect(await harness.driver.observe(workspaceId)).not.toHaveProperty("endedWithHost");
  await writeFile(paths.record, record);
  await rewriteRecord(paths, { bootId: "an earlier one" });
  await rm(paths.exit, { force: true });
  expect(await harness.driver.observe(workspaceId)).toEqual({ state: "stopped", endedWithHost: true });
  await harness.driver.ensure(spec);
  expect(await harness.driver.observe(workspaceId)).not.toHaveProperty("endedWithHost");
  await harness.driver.remove(workspaceId);
});
