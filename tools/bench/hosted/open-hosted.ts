/** Real workspaces on this host by the product's own driver and engine, without a control plane. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { createProcessDriver, type ProcessDriver } from "#apps/provisioner/drivers/process/create-process-driver.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";

/** For one answer, on a busy machine. */
const readyTimeoutMs = 120_000;

export interface HostedWorkspace {
  id: string;
  address: string;
  spec: RunSpec;
}

export interface Hosted {
  driver: ProcessDriver;
  /** Starts the workspace of this number, from 1; resolves when it answers. */
  start(number: number): Promise<HostedWorkspace>;
  /** Starts one that was stopped; milliseconds from the start to its first answer. */
  wakeCold(workspace: HostedWorkspace): Promise<number>;
  /** Stops it; the MB of disk and memory that it then uses. */
  stop(workspace: HostedWorkspace): Promise<{ diskMb: number; memoryMb: number }>;
  /** Milliseconds from the thaw to its first answer. */
  thaw(workspace: HostedWorkspace): Promise<number>;
  usageOf(workspace: HostedWorkspace): Promise<{ memoryMb: number; swappedMb?: number; compressedMb?: number }>;
  /**
   * Ends and removes all of them with their networks, mounts and files, each even if another fails; then throws the first failure. May be
   * called again.
   */
  end(): Promise<void>;
}

/** @param zramMb of a device that the driver adds if the host has no swap. */
export async function openHosted(zramMb: number): Promise<Hosted> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-hosted-"));
  await chmod(folder, 0o755);
  const driver = createProcessDriver({
    workspacesDir: join(folder, "workspaces"),
    log: createLog("silent"),
    clock: systemClock,
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
    freezing: { zramMb },
  });
  const engine = createTestN8n();
  const version = engine.releases[0]!.version;
  await engine.install(version, () => undefined);
  const begun = new Set<string>();

  async function boot(spec: RunSpec): Promise<string> {
    const { address } = await driver.ensure(spec);
    const deadlineMs = performance.now() + readyTimeoutMs;
    while (!(await engine.health(address!)).ready) {
      if (performance.now() > deadlineMs) throw new Error(`the workspace does not answer: ${await driver.logs(spec.workspaceId, 2_000)}`);
      await sleep(100);
    }
    driver.endStart?.(spec.workspaceId);
    return address!;
  }
  return {
    driver,
    async start(number) {
      const id = `0199a000-0000-7000-8000-${String(number).padStart(12, "0")}`;
      begun.add(id);
      const workspace = {
        id,
        number: number + 9,
        generation: 1,
        run: true,
        timezone: "Etc/UTC",
        memoryMb: 1024,
        publicUrl: "http://acme.localhost:3000",
        panelUrl: "http://localhost:3000",
        secrets: engine.createSecrets(),
      };
      const spec = engine.runSpec(workspace, version);
      return { id, spec, address: await boot(spec) };
    },
    async wakeCold(workspace) {
      const began = performance.now();
      workspace.address = await boot(workspace.spec);
      return performance.now() - began;
    },
    async stop({ id, spec }) {
      await driver.ensure({ ...spec, run: false });
      const { stdout } = await promisify(execFile)("du", ["-sm", join(folder, "workspaces", id)]);
      return { diskMb: Number.parseInt(stdout, 10), memoryMb: (await driver.usage!([id])).get(id)?.memoryMb ?? 0 };
    },
    async thaw({ id, address }) {
      const began = performance.now();
      await driver.thaw!(id);
      await (await fetch(`http://${address}/healthz/readiness`)).text();
      return performance.now() - began;
    },
    usageOf: async ({ id }) => (await driver.usage!([id])).get(id)!,
    async end() {
      const failures: unknown[] = [];
      const note = (error: unknown) => failures.push(error);
      await driver.stopAll().catch(note);
      for (const id of begun) await driver.remove(id).catch(note);
      begun.clear();
      await rm(folder, { recursive: true, force: true }).catch(note);
      if (failures.length > 0) throw failures[0];
    },
  };
}
