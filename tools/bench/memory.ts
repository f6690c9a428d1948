/** Measures how much memory an idle workspace uses, awake and frozen, and how soon it answers after a thaw. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchRow } from "./bench-row.ts";
import { openHosted, type Hosted, type HostedWorkspace } from "./hosted/open-hosted.ts";
import { treeMb } from "./hosted/tree-mb.ts";
import { endBare, startBare } from "./start-bare.ts";

/** Until n8n's work after its start is over. */
const settleMs = 60_000;
const thaws = 20;
const frozenBudgetMb = 10;
const thawBudgetMs = 300;
const zramMb = 4_096;

export async function benchMemory(): Promise<BenchRow[]> {
  const hosted = await openHosted(zramMb);
  const bare = await startBare();
  try {
    const workspace = await hosted.start(1);
    await sleep(settleMs);
    const bareMb = await treeMb(bare.run.pid);
    const awakeMb = (await hosted.usageOf(workspace)).memoryMb;
    const awake = row("memory awake and idle against the bare engine's", awakeMb / bareMb, 0.55, `${awakeMb} MB; bare ${bareMb} MB`);
    return [
      { ...awake, figures: { awakeMb, bareMb } },
      ...(await measurePagedOut(hosted, workspace, bareMb)),
      ...(await measureFrozen(hosted, workspace)),
    ];
  } finally {
    await endBare(bare);
    await hosted.end();
  }
}

const row = (what: string, ratio: number, budget: number, detail: string): BenchRow => ({
  what,
  ratio,
  budget: `≤ ${budget}`,
  ok: ratio <= budget,
  detail,
});

/** Until an idle n8n has read back the pages that its own timers need. */
const restMs = 60_000;

async function measurePagedOut({ driver, usageOf }: Hosted, workspace: HostedWorkspace, bareMb: number): Promise<BenchRow[]> {
  const what = "memory awake, idle and paged out against the bare engine's";
  if (!driver.pageOut) return [{ what, ratio: null, budget: "≤ 0.55", ok: null, detail: driver.cannotFreeze ?? "" }];
  await driver.pageOut(workspace.id);
  await sleep(restMs);
  const { memoryMb, swappedMb = 0, compressedMb = 0 } = await usageOf(workspace);
  const began = performance.now();
  await (await fetch(`http://${workspace.address}/rest/settings`)).text();
  const firstMs = performance.now() - began;
  const held = `${memoryMb} MB, and ${swappedMb} MB paged out that take ${compressedMb} MB compressed`;
  return [row(what, (memoryMb + compressedMb) / bareMb, 0.55, `${held}; first request after it ${firstMs.toFixed(0)} ms`)];
}

async function measureFrozen(hosted: Hosted, workspace: HostedWorkspace): Promise<BenchRow[]> {
  const [holds, answers] = ["memory of a frozen workspace against 10 MB", "first answer of a frozen workspace (p95) against 0.3 s"];
  const { driver } = hosted;
  if (!driver.freeze)
    return [holds, answers].map((what) => ({ what, ratio: null, budget: "≤ 1", ok: null, detail: driver.cannotFreeze ?? "" }));
  const times: number[] = [];
  let frozen = await hosted.usageOf(workspace);
  for (let turn = 0; turn < thaws; turn += 1) {
    await driver.freeze(workspace.id);
    if (turn === 0) frozen = await hosted.usageOf(workspace);
    times.push(await hosted.thaw(workspace));
    await sleep(500);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((share) => sorted[Math.ceil(share * thaws) - 1]!) as [number, number];
  const { memoryMb, swappedMb = 0, compressedMb = 0 } = frozen;
  return [
    {
      ...row(holds, memoryMb / frozenBudgetMb, 1, `${memoryMb} MB, and ${swappedMb} MB paged out that take ${compressedMb} MB compressed`),
      figures: { asleepMb: memoryMb, asleepCompressedMb: compressedMb },
    },
    row(answers, p95 / thawBudgetMs, 1, `median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${thaws}`),
  ];
}
