/** Measures what a workspace with nothing to do holds in memory, awake and frozen, and how soon it answers after a thaw. */
import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createProcessDriver, type ProcessDriver } from "#apps/provisioner/drivers/process/create-process-driver.ts";
import { createN8nEngine } from "#apps/provisioner/engines/n8n/create-n8n-engine.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import type { BenchRow } from "./bench-row.ts";
import { endBare, startBare } from "./start-bare.ts";

/** Until what n8n does after its start is over. */
const settleMs = 60_000;
const thaws = 20;
const frozenBudgetMb = 10;
const thawBudgetMs = 300;
const zramMb = 4_096;

export async function benchMemory(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-memory-"));
  await chmod(folder, 0o755);
  const driver = createProcessDriver({
    workspacesDir: join(folder, "workspaces"),
    log: createLog("silent"),
    clock: systemClock,
    readablePaths: [enginesCacheDir, process.execPath],
    freezing: { zramMb },
  });
  const bare = await startBare();
  try {
    const { id, address } = await startWorkspace(driver);
    await sleep(settleMs);
    const bareMb = await treeMb(bare.run.pid);
    const awakeMb = (await usageOf(driver, id)).memoryMb;
    const awake = row("memory awake and idle against the bare engine's", awakeMb / bareMb, 0.55, `${awakeMb} MB; bare ${bareMb} MB`);
    return [awake, ...(await measurePagedOut(driver, id, address, bareMb)), ...(await measureFrozen(driver, id, address))];
  } finally {
    await endBare(bare);
    await driver.stopAll();
    await rm(folder, { recursive: true, force: true });
  }
}

const row = (what: string, ratio: number, budget: number, detail: string): BenchRow => ({
  what,
  ratio,
  budget: `≤ ${budget}`,
  ok: ratio <= budget,
  detail,
});

async function startWorkspace(driver: ProcessDriver): Promise<{ id: string; address: string }> {
  const engine = createN8nEngine({
    enginesDir: enginesCacheDir,
    nodeBinary: process.execPath,
    signingKey: generateKeyPairSync("ed25519").privateKey,
    clock: systemClock,
    secureCookies: false,
  });
  const version = engine.releases[0]!.version;
  await engine.install(version, () => undefined);
  const id = "0199a000-0000-7000-8000-00000000000a";
  const workspace = {
    id,
    number: 10,
    generation: 1,
    run: true,
    timezone: "Etc/UTC",
    memoryMb: 1024,
    publicUrl: "http://acme.localhost:3000",
    panelUrl: "http://localhost:3000",
    secrets: engine.createSecrets(),
  };
  const { address } = await driver.ensure(engine.runSpec(workspace, version));
  for (let tries = 0; !(await engine.health(address!)).ready; tries += 1) {
    if (tries > 600) throw new Error(`the workspace does not answer: ${await driver.logs(id, 2_000)}`);
    await sleep(200);
  }
  return { id, address: address! };
}

const usageOf = async (driver: ProcessDriver, id: string) => (await driver.usage!([id])).get(id)!;

/** Until an idle n8n has taken back what its own timers need. */
const restMs = 60_000;

async function measurePagedOut(driver: ProcessDriver, id: string, address: string, bareMb: number): Promise<BenchRow[]> {
  const what = "memory awake, idle and paged out against the bare engine's";
  if (!driver.pageOut) return [{ what, ratio: null, budget: "≤ 0.55", ok: null, detail: driver.cannotFreeze ?? "" }];
  await driver.pageOut(id);
  await sleep(restMs);
  const { memoryMb, swappedMb = 0, compressedMb = 0 } = await usageOf(driver, id);
  const began = performance.now();
  await (await fetch(`http://${address}/rest/settings`)).text();
  const firstMs = performance.now() - began;
  const held = `${memoryMb} MB, and ${swappedMb} MB paged out that take ${compressedMb} MB compressed`;
  return [row(what, (memoryMb + compressedMb) / bareMb, 0.55, `${held}; first request after it ${firstMs.toFixed(0)} ms`)];
}

async function measureFrozen(driver: ProcessDriver, id: string, address: string): Promise<BenchRow[]> {
  const [holds, answers] = ["memory of a frozen workspace against 10 MB", "first answer of a frozen workspace (p95) against 0.3 s"];
  if (!driver.freeze)
    return [holds, answers].map((what) => ({ what, ratio: null, budget: "≤ 1", ok: null, detail: driver.cannotFreeze ?? "" }));
  const times: number[] = [];
  let frozen = await usageOf(driver, id);
  for (let turn = 0; turn < thaws; turn += 1) {
    await driver.freeze(id);
    if (turn === 0) frozen = await usageOf(driver, id);
    const began = performance.now();
    await driver.thaw!(id);
    await (await fetch(`http://${address}/healthz/readiness`)).text();
    times.push(performance.now() - began);
    await sleep(500);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((share) => sorted[Math.ceil(share * thaws) - 1]!) as [number, number];
  const { memoryMb, swappedMb = 0, compressedMb = 0 } = frozen;
  return [
    row(holds, memoryMb / frozenBudgetMb, 1, `${memoryMb} MB, and ${swappedMb} MB paged out that take ${compressedMb} MB compressed`),
    row(answers, p95 / thawBudgetMs, 1, `median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${thaws}`),
  ];
}

/** Anonymous and shared memory of a process and all below it. Linux only. */
async function treeMb(root: number): Promise<number> {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(/^PPid:\s+(\d+)/m.exec(statusOf(name))?.[1] ?? 0)]),
  );
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid)!));
  let kb = 0;
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue;
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    kb += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) + Number(/^RssShmem:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return Math.round(kb / 1024);
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
