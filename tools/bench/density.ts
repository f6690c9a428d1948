/**
 * How many workspaces this machine can hold: starts real ones one after the other, freezes each once it is idle, and measures what they use,
 * and how soon one, ten or fifty of them answer. `DENSITY` sets how many there are; it stops starting them when memory runs short.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { mostCold } from "#apps/provisioner/reconcile/boots.ts";
import { defaultGatewayLimits } from "#apps/gateway/gateway-limits.ts";
import { createSlots } from "#platform/loops/slots.ts";
import type { BenchRow, Figures } from "./bench-row.ts";
import { openHosted, type Hosted, type HostedWorkspace } from "./hosted/open-hosted.ts";
import { addZram, freeSwapMb } from "./hosted/own-zram.ts";
import { treeMb } from "./hosted/tree-mb.ts";
import { awakeShare, ownedWithStopped, ownedWorkspaces } from "./report/owned-workspaces.ts";
import { endBare, startBare } from "./start-bare.ts";

const wanted = Number(process.env["DENSITY"] ?? 60);
/** Until n8n's work after its start is over, and its garbage is collected. */
const restMs = 60_000;
/** More than n8n pages out, before compression. */
const pagedOutMb = 450;
/** Memory that the host keeps free. */
const spareMb = 2_048;
/** How many thaw together, and how often that is measured. */
const storms = [
  { atOnce: 1, rounds: 20 },
  { atOnce: 10, rounds: 3 },
  { atOnce: 50, rounds: 1 },
];
const coldWakes = 3;
/** As many stopped ones wake together. */
const coldStorms = [10, 50];
const [bareBudget, frozenBudgetMb, thawBudgetMs, coldBudget, ownedBudget] = [0.55, 10, 300, 0.6, 1_000];

/** Adds each row as soon as it is measured. Whatever was started ends with it, also when it is interrupted. */
export async function benchDensity(add: (row: BenchRow) => void): Promise<void> {
  const removeZram = freeSwapMb() < wanted * pagedOutMb ? addZram(wanted * pagedOutMb) : () => undefined;
  const undo: (() => unknown)[] = [removeZram];
  const interrupted = (): void => void endAll(undo).finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupted);
  try {
    const hosted = await openHosted(wanted * pagedOutMb);
    undo.push(() => hosted.end());
    const bare = await startBare();
    undo.push(() => endBare(bare));
    if (!hosted.driver.freeze) {
      const detail = hosted.driver.cannotFreeze ?? "this host can't freeze";
      return add({ what: "workspaces that this machine owns", ratio: null, budget: "", ok: null, detail });
    }
    const { workspaces, awakeMb } = await fill(hosted);
    const bareMb = await treeMb(bare.run.pid);
    const figures = await memoryRows(add, hosted, workspaces, awakeMb, bareMb);
    for (const { atOnce, rounds } of storms) add(await thawRow(hosted, workspaces, atOnce, rounds));
    add(await coldRow(hosted, workspaces[0]!, bare.run.readyMs));
    for (const atOnce of coldStorms) add(await coldStormRow(hosted, workspaces, atOnce, figures));
    add(ownedRow(figures));
    add(await stoppedRow(hosted, workspaces, figures.awakeMb!));
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupted);
    await endAll(undo);
  }
}

/** Ends the last one first, and all of them even if one fails; the first error is thrown at the end. */
async function endAll(undo: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let end = undo.pop(); end; end = undo.pop()) await (async () => end())().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Starts and freezes them, and returns the median of their memory just before. */
async function fill(hosted: Hosted): Promise<{ workspaces: HostedWorkspace[]; awakeMb: number }> {
  const waiting: { workspace: HostedWorkspace; restsAt: number }[] = [];
  const workspaces: HostedWorkspace[] = [];
  const awake: number[] = [];
  const freezeNext = async (): Promise<void> => {
    const { workspace, restsAt } = waiting.shift()!;
    await sleep(Math.max(0, restsAt - performance.now()));
    awake.push((await hosted.usageOf(workspace)).memoryMb);
    await hosted.driver.freeze!(workspace.id);
    workspaces.push(workspace);
  };
  for (let number = 1; number <= wanted && availableMb() > spareMb; number += 1) {
    waiting.push({ workspace: await hosted.start(number), restsAt: performance.now() + restMs });
    while (waiting[0] && waiting[0].restsAt <= performance.now()) await freezeNext();
  }
  while (waiting.length > 0) await freezeNext();
  return { workspaces, awakeMb: part(awake, 0.5) };
}

/** Linux only, as is freezing. */
const availableMb = (): number => Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1] ?? 0) / 1024;

/** The value that this share of them does not exceed. */
const part = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN;

const row = (what: string, ratio: number, most: number, detail: string): BenchRow => ({
  what,
  ratio,
  budget: `≤ ${most}`,
  ok: ratio <= most,
  detail,
});

async function memoryRows(
  add: (row: BenchRow) => void,
  hosted: Hosted,
  workspaces: HostedWorkspace[],
  awakeMb: number,
  bareMb: number,
): Promise<Figures> {
  const usages = await Promise.all(workspaces.map((workspace) => hosted.usageOf(workspace)));
  const median = (of: (usage: (typeof usages)[number]) => number): number => part(usages.map(of), 0.5);
  const [asleepMb, asleepCompressedMb] = [median(({ memoryMb }) => memoryMb), median(({ compressedMb = 0 }) => compressedMb)];
  const figures: Figures = { bareMb, awakeMb, asleepMb, asleepCompressedMb };
  const count = workspaces.length;
  add({
    ...row(
      `memory of one of ${count} workspaces, awake and idle, against the bare engine's`,
      awakeMb / bareMb,
      bareBudget,
      `median ${awakeMb} MB; bare ${bareMb} MB`,
    ),
    figures,
  });
  const [all, compressed] = [
    usages.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
    usages.reduce((sum, { compressedMb = 0 }) => sum + compressedMb, 0),
  ];
  add(
    row(
      `resident memory of one of ${count} frozen workspaces against ${frozenBudgetMb} MB`,
      asleepMb / frozenBudgetMb,
      1,
      `median ${asleepMb} MB, most ${part(
        usages.map(({ memoryMb }) => memoryMb),
        1,
      )} MB; ${median(({ swappedMb = 0 }) => swappedMb)} MB paged out take ${asleepCompressedMb} MB compressed; all: ${all} MB and ${compressed} MB`,
    ),
  );
  return figures;
}

async function thawRow(hosted: Hosted, workspaces: HostedWorkspace[], atOnce: number, rounds: number): Promise<BenchRow> {
  const what = `first answer of ${atOnce} frozen workspaces at the same time (p95) against 0.3 s`;
  if (workspaces.length < atOnce)
    return { what, ratio: null, budget: "≤ 1", ok: null, detail: `there are ${workspaces.length}: DENSITY=${atOnce}` };
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Different ones each time, so that none is measured with pages that were just read.
    const chosen = Array.from({ length: atOnce }, (_, index) => workspaces[(round * atOnce + index) % workspaces.length]!);
    times.push(...(await Promise.all(chosen.map((workspace) => hosted.thaw(workspace)))));
    await sleep(500);
    for (const { id } of chosen) await hosted.driver.freeze!(id);
  }
  const [half, most] = [part(times, 0.5), part(times, 0.95)];
  return row(what, most / thawBudgetMs, 1, `p50 ${half.toFixed(0)} ms, p95 ${most.toFixed(0)} ms of ${times.length}`);
}

async function coldRow(hosted: Hosted, workspace: HostedWorkspace, bareMs: number): Promise<BenchRow> {
  const times: number[] = [];
  for (let turn = 0; turn < coldWakes; turn += 1) {
    await hosted.stop(workspace);
    times.push(await hosted.wakeCold(workspace));
  }
  await hosted.driver.freeze!(workspace.id);
  const [half, most] = [part(times, 0.5), part(times, 0.95)];
  const detail = `p50 ${(half / 1000).toFixed(1)} s, p95 ${(most / 1000).toFixed(1)} s of ${coldWakes}; bare ${(bareMs / 1000).toFixed(1)} s`;
  return row("first answer of a stopped workspace against the bare engine's start", half / bareMs, coldBudget, detail);
}

/**
 * As many at a time as a worker starts for wakes. A request that waits longer than the gateway allows gets 503, but its workspace wakes all
 * the same.
 */
async function coldStormRow(
  hosted: Hosted,
  workspaces: HostedWorkspace[],
  atOnce: number,
  { awakeMb = 0, asleepMb = 0, asleepCompressedMb = 0 }: Figures,
): Promise<BenchRow> {
  const { maxWaitMs } = defaultGatewayLimits;
  const what = `first answer of ${atOnce} stopped workspaces at the same time (p95) against ${maxWaitMs / 1000} s`;
  const none = { what, ratio: null, budget: "≤ 1", ok: null };
  if (workspaces.length < atOnce) return { ...none, detail: `there are ${workspaces.length}: DENSITY=${atOnce}` };
  if (availableMb() < spareMb + atOnce * (awakeMb - asleepMb - asleepCompressedMb))
    return { ...none, detail: `there is no memory for ${atOnce} that are awake` };
  const chosen = workspaces.slice(0, atOnce);
  for (const workspace of chosen) await hosted.stop(workspace);
  const places = createSlots({ most: mostCold });
  const began = performance.now();
  const wake = async (workspace: HostedWorkspace): Promise<number> => {
    await hosted.wakeCold(workspace);
    return performance.now() - began;
  };
  const times = await Promise.all(chosen.map((workspace) => places.run(() => wake(workspace))));
  for (const { id } of chosen) await hosted.driver.freeze!(id);
  const [half, most] = [part(times, 0.5), part(times, 0.95)];
  return row(what, most / maxWaitMs, 1, `p50 ${(half / 1000).toFixed(1)} s, p95 ${(most / 1000).toFixed(1)} s, ${mostCold} at a time`);
}

/** In a service of this size, this many are awake without being used, because they have schedules or connections. */
const ownedAwake = 100;

/** The first is paged out while it runs and the second is stopped, as after ten minutes and after hours without use. */
async function stoppedRow(hosted: Hosted, [first, second]: HostedWorkspace[], awakeMb: number): Promise<BenchRow> {
  const what = `memory of ${ownedBudget} workspaces, ${ownedAwake} awake and paged out and the rest stopped, against 24 GB`;
  if (!second) return { what, ratio: null, budget: "≤ 1", ok: null, detail: "it takes two workspaces: DENSITY=2" };
  await hosted.thaw(first!);
  await hosted.driver.pageOut!(first!.id);
  await sleep(restMs);
  const { memoryMb, compressedMb = 0 } = await hosted.usageOf(first!);
  const stopped = await hosted.stop(second);
  const rested = { awakeMb, pagedOutMb: memoryMb + compressedMb, stoppedMb: stopped.memoryMb, stoppedDiskMb: stopped.diskMb };
  const { share, sum } = ownedWithStopped(ownedBudget, ownedAwake, rested);
  return row(what, share, 1, sum);
}

function ownedRow(figures: Figures): BenchRow {
  const owned = ownedWorkspaces(figures);
  const most = Math.max(...owned.map(({ awake, asleep }) => awake + asleep));
  return {
    what: `workspaces that 24 GB own with ${awakeShare * 100} % awake, against ${ownedBudget}`,
    ratio: most / ownedBudget,
    budget: "≥ 1",
    ok: most >= ownedBudget,
    detail: owned.map(({ what, awake, asleep, sum }) => `${what}: ${awake + asleep} = ${sum}`).join("; "),
  };
}
