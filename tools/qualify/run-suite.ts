/** Boots a freshly installed release and holds it to every promise of the hook suite. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createN8nEngine } from "#apps/provisioner/engines/n8n/create-n8n-engine.ts";
import { hookSuite } from "#apps/provisioner/engines/n8n/hook-suite.ts";
import { runBare } from "#apps/provisioner/engines/n8n/run-bare.ts";
import type { QualifiedRelease } from "#apps/provisioner/engines/read-releases.ts";
import { systemClock } from "#platform/clock.ts";

export interface SuiteResult {
  /** First start in an empty folder. */
  readySeconds: number;
  /** The process and its children, idle, right after the first start. */
  memoryMb: number;
  checks: string[];
}

/** Runs the suite against a real process. Throws at the first promise that is not kept. */
export async function runSuite(release: QualifiedRelease, enginesDir: string, say: (line: string) => void): Promise<SuiteResult> {
  const signingKey = generateKeyPairSync("ed25519").privateKey;
  const engine = createN8nEngine({
    enginesDir, nodeBinary: process.execPath, signingKey, clock: systemClock, secureCookies: false, releases: [release],
  });
  await engine.install(release.version, () => undefined);
  const workspace = {
    id: "0199a000-0000-7000-8000-000000000002", number: 1, generation: 1, run: true, timezone: "Etc/UTC", memoryMb: 1024,
    publicUrl: "http://qualification.localhost:3000", panelUrl: "http://localhost:3000", secrets: engine.createSecrets(),
  };
  const spec = engine.runSpec(workspace, release.version);
  const folder = await mkdtemp(join(tmpdir(), "slipway-qualify-workspace-"));
  let run = await runBare(engine, spec, folder);
  try {
    const readySeconds = Math.round(run.readyMs / 100) / 10;
    const memoryMb = await readMemoryMb(run.pid);
    say(`ready after ${readySeconds} s, ${memoryMb} MB`);
    const restart = async () => {
      await run.stop();
      run = await runBare(engine, spec, folder);
    };
    const scene = { engine, signingKey, workspaceId: workspace.id, secrets: workspace.secrets, version: release.version, address: () => run.address, logs: () => run.logs(), restart };
    for (const { promise, keep } of hookSuite) {
      await keep(scene).catch((error: unknown) => {
        throw new Error(`not kept: ${promise}`, { cause: error });
      });
      say(`kept: ${promise}`);
    }
    return { readySeconds, memoryMb, checks: hookSuite.map(({ promise }) => promise) };
  } finally {
    await run.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resident megabytes of a process and its children; 0 where the system has no /proc. */
async function readMemoryMb(pid: number): Promise<number> {
  const processes = await readdir("/proc").catch(() => []);
  const statuses = await Promise.all(
    processes.filter((name) => /^\d+$/.test(name)).map((name) => readFile(`/proc/${name}/status`, "utf8").catch(() => "")),
  );
  const kilobytes = statuses
    .filter((status) => [/^Pid:\s+(\d+)/m, /^PPid:\s+(\d+)/m].some((pattern) => Number(pattern.exec(status)?.[1]) === pid))
    .map((status) => Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0));
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
}
