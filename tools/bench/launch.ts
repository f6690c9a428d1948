/** Measures a launch, from the click to a workspace that answers through the gateway, against the bare engine's own first start. */
import { mkdtemp, rm } from "node:fs/promises";
import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createN8nEngine } from "#apps/provisioner/engines/n8n/create-n8n-engine.ts";
import { runBare, type BareRun } from "#apps/provisioner/engines/run-bare.ts";
import { instanceStatus } from "#contract/workspace.ts";
import { systemClock } from "#platform/clock.ts";
import { ask } from "#testing/ask.ts";
import { enginesCacheDir } from "#testing/engines-cache.ts";
import type { BenchRow } from "./bench-row.ts";
import { startPanel, until } from "./panel/start-panel.ts";

/** Launches and bare starts take turns; three of each are a minute and a half. */
const turns = 3;

/** The row, and the bare n8n of the last turn, still running, for whoever measures on; its owner calls `end`. */
export async function benchLaunch(): Promise<{ row: BenchRow; bare: BareRun; end(): Promise<void> }> {
  const launches: number[] = [];
  const starts: number[] = [];
  let last: { run: BareRun; folder: string } | undefined;
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
    row: { what: "launch without a pool against the bare engine's start", ratio, budget: "≤ 1.15", ok: ratio <= 1.15, detail: `launch ${seconds(launches)} s; bare ${seconds(starts)} s` },
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

/** n8n as its documentation starts it, in an empty folder: none of our hooks, settings or savings. */
async function startBare(): Promise<{ run: BareRun; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-bare-"));
  const engine = createN8nEngine({ enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey: generateKeyPairSync("ed25519").privateKey, clock: systemClock, secureCookies: false });
  const workspace = { id: "bare", number: 1, generation: 1, run: true, timezone: "Etc/UTC", memoryMb: 1024, publicUrl: "http://localhost", panelUrl: "http://localhost", secrets: engine.createSecrets() };
  const spec = engine.runSpec(workspace, engine.releases[0]!.version);
  const kept = ["PATH", "HOME", "N8N_USER_FOLDER", "N8N_PORT", "N8N_RUNNERS_BROKER_PORT", "N8N_LISTEN_ADDRESS", "NODE_ENV", "TMPDIR"];
  const env = { ...Object.fromEntries(kept.map((name) => [name, spec.env[name] ?? ""])), N8N_DIAGNOSTICS_ENABLED: "false" };
  return { run: await runBare(engine, { ...spec, env }, folder), folder };
}

async function endBare({ run, folder }: { run: BareRun; folder: string }): Promise<void> {
  await run.stop();
  await rm(folder, { recursive: true, force: true });
}
