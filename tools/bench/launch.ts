/** Measures a launch, from the click to a workspace that answers through the gateway, against the bare engine's own first start. */
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import type { BenchRow } from "./bench-row.ts";
import { startPanel } from "./panel/start-panel.ts";
import { until } from "./panel/until.ts";
import { endBare, startBare } from "./start-bare.ts";

/** Launches and bare starts take turns; three of each take a minute and a half. */
const turns = 3;

export async function benchLaunch(): Promise<BenchRow> {
  const launches: number[] = [];
  const starts: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    launches.push(await launchOnce(3400 + turn));
    const bare = await startBare();
    starts.push(bare.run.readyMs);
    await endBare(bare);
  }
  const ratio = middle(launches.map((ms, turn) => ms / starts[turn]!));
  return {
    what: "launch without a pool against the bare engine's start",
    ratio,
    budget: "≤ 0.55",
    ok: ratio <= 0.55,
    detail: `launch ${seconds(launches)} s; bare ${seconds(starts)} s`,
    figures: { coldLaunchMs: middle(launches), bareStartMs: middle(starts) },
  };
}

const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const seconds = (values: number[]) => values.map((ms) => (ms / 1000).toFixed(1)).join(", ");

async function launchOnce(port: number): Promise<number> {
  const panel = await startPanel(port, { ENGINES_DIR: enginesCacheDir });
  try {
    const clickedMs = performance.now();
    await panel.call("POST", "/api/account/setup", { timezone: "Etc/UTC" });
    await until(async () => (await panel.instance()).status === instanceStatus.online, 50);
    const answer = await ask(`http://bench-works.localhost:${port}/healthz/readiness`);
    if (answer.status !== 200) throw new Error(`the workspace is online but answers ${answer.status}`);
    return performance.now() - clickedMs;
  } finally {
    await panel.stop();
  }
}
