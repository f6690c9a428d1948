/** n8n as its documentation starts it, in an empty folder: without our hooks, settings and optimisations. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { runBare, type BareRun } from "#testing/engines/run-bare.ts";

interface Bare {
  run: BareRun;
  folder: string;
}

/** Additions for an n8n that runs within limits. */
interface BareBounds {
  /** Of Node. */
  flags: readonly string[];
  env: Record<string, string>;
  /** Words before the command, which end by executing it. */
  before: readonly string[];
}

/** Resolves once it is healthy; the caller calls `endBare`. */
export async function startBare(bounds: BareBounds = { flags: [], env: {}, before: [] }): Promise<Bare> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-bare-"));
  const engine = createTestN8n();
  const workspace = {
    id: "bare",
    number: 1,
    generation: 1,
    run: true,
    timezone: "Etc/UTC",
    memoryMb: 1024,
    publicUrl: "http://localhost",
    panelUrl: "http://localhost",
    secrets: engine.createSecrets(),
  };
  const spec = engine.runSpec(workspace, engine.releases[0]!.version);
  const kept = ["PATH", "HOME", "N8N_USER_FOLDER", "N8N_PORT", "N8N_RUNNERS_BROKER_PORT", "N8N_LISTEN_ADDRESS", "NODE_ENV", "TMPDIR"];
  const env = { ...Object.fromEntries(kept.map((name) => [name, spec.env[name] ?? ""])), N8N_DIAGNOSTICS_ENABLED: "false", ...bounds.env };
  // Without our flags: node, n8n, "start".
  const command = [...bounds.before, spec.command[0]!, ...bounds.flags, ...spec.command.slice(-2)];
  return { run: await runBare(engine, { ...spec, env, command }, folder), folder };
}

export async function endBare({ run, folder }: Bare): Promise<void> {
  await run.stop();
  await rm(folder, { recursive: true, force: true });
}
