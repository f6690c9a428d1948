/** A host with a driver under test, and what its workspaces are started from. */
import { randomBytes, randomInt } from "node:crypto";
import type { Driver, RunSpec } from "#apps/provisioner/drivers/driver.ts";

/** What a running workspace reports about itself. */
export interface WorkspaceReport {
  /** Differs at each start. */
  instance: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  folder: string;
}

/** A host with a driver, and ways to inspect its workspaces that a driver itself doesn't offer. */
export interface DriverHarness {
  driver: Driver;
  /** Another driver on the same host, as after a restart of the control plane. */
  restarted(): Driver;
  /** Program and first arguments of a reporting workspace; a spec's own arguments come after. */
  command: readonly string[];
  report(workspaceId: string): Promise<WorkspaceReport>;
  store(workspaceId: string, path: string, content: string): Promise<void>;
  stored(workspaceId: string, path: string): Promise<string | undefined>;
  crash(workspaceId: string): Promise<void>;
  /** Has a workspace with `{{ready}}` in its environment, as READY, say `times` times that it is ready. */
  sayReady(workspaceId: string, times: number): Promise<void>;
  /** Makes a spec whose workspace ignores the request to stop. */
  makeStubborn(spec: RunSpec): Promise<RunSpec>;
  close(): Promise<void>;
}

/** A spec of the harness's reporting workspace, for a new workspace. */
export function buildRunSpec(command: readonly string[], overrides: Partial<RunSpec> = {}): RunSpec {
  return {
    workspaceId: `w-${randomBytes(6).toString("hex")}`,
    workspaceNumber: randomInt(1, 90_000),
    run: true,
    generation: 1,
    command: [...command, "{{folder}}", "{{address}}", "{{port.http}}", "{{port.broker}}"],
    env: { GREETING: "good morning", HOME: "{{folder}}", PORT: "{{port.http}}" },
    files: [{ path: "settings/first.json", content: '{"at":"{{folder}}"}', mode: 0o600 }],
    ports: ["http", "broker"],
    memoryMb: 256,
    stopTimeoutMs: 5_000,
    ...overrides,
  };
}
