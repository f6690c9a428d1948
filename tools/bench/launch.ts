/** Measures a launch, from the click to a workspace that answers through the gateway, against the bare engine's own first start. */
import type { BareRun } from "#testing/engines/run-bare.ts";
import { instanceStatus } from "#contract/workspaces/workspace.ts";
import { ask } from "#testing/ask.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import type { BenchRow } from "./bench-row.ts";
import { startPanel, until } from "./panel/start-panel.ts";
import { endBare, startBare, type Bare } from "./start-bare.ts";

/** Launches and bare starts take turns; three of each take a minute and a half. */
const turns = 3;

/** Returns the row, and the bare n8n of the last turn, still running for further measurements; the caller calls `end`. */
export async function benchLaunch(): Promise<{ row: BenchRow; bare: BareRun; end(): Promise<void> }> {
  const launches: number[] = [];
  const starts: number[] = [];
  let last: Bare | undefined;
  for (let turn = 0; turn < turns; turn += 1) {
    if (last) await endBare(last);
    launches.push(await launchOnce(3400 + turn));
    last = await startBare();
    starts.push(last.run.readyMs);
  }
  const ratios = launches.map((ms, turn) => ms / starts[turn]!).toSorted((a, b) => a - b);
  const ratio = ratios[Math.floor(ratios.length / 2)]!;
  const seconds = (values: number[]) => values.map((ms) => (ms / 1000).toFixed(1)).join(", ");
  const { run, folder } = last!;
  return {
    row: {
      what: "launch without a pool against the bare engine's start",
      ratio,
      budget: "≤ 1.15",
      ok: ratio <= 1.15,
      detail: `launch ${seconds(launches)} s; bare ${seconds(starts)} s`,
    },
    bare: run,
    end: () => endBare({ run, folder }),
  };
}

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
