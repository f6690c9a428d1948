/** A host with a driver under test, and the specs of its workspaces. */
import { randomBytes, randomInt } from "node:crypto";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import type { Driver, RunSpec } from "#apps/provisioner/drivers/driver.ts";

/** Makes the workspace at an address do something (reporting-workspace.mjs). */
export type Post = (address: string, name: string, body: object) => Promise<Pick<Response, "ok" | "json">>;

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
  /** The image of its specs, and another with the same contents; absent if the driver runs no images. */
  image?: string;
  otherImage?: string;
  report(workspaceId: string): Promise<WorkspaceReport>;
  store(workspaceId: string, path: string, content: string): Promise<void>;
  stored(workspaceId: string, path: string): Promise<string | undefined>;
  crash(workspaceId: string): Promise<void>;
  /** Makes a workspace with `{{ready}}` in its environment, as READY, report `times` times that it is ready. */
  sayReady(workspaceId: string, times: number): Promise<void>;
  /**
   * For drivers whose addresses may belong to another workspace later: the keys, and a call of whatever is at an address. Absent: an
   * address belongs to its workspace alone.
   */
  proving?: { keys: LineKeys; post: Post };
  /** How long the platform itself may take to end a workspace that was killed; a minute if absent. */
  endsWithinMs?: number;
  /** Its platform may delete a workspace that it stopped before it has reported the signal; the exit then has none. */
  mayLoseSignal?: true;
  /** Makes a spec whose workspace ignores the request to stop. */
  makeStubborn(spec: RunSpec): Promise<RunSpec>;
  close(): Promise<void>;
}

/** Begins at random, because other test files run on this machine at the same time; two specs of one file never have the same number. */
let lastNumber = randomInt(1, 80_000);

/** A spec for a new workspace: of the harness's reporting workspace, or of a command. */
export function buildRunSpec(of: readonly string[] | Pick<DriverHarness, "command" | "image">, overrides: Partial<RunSpec> = {}): RunSpec {
  const { command, image } = "command" in of ? of : { command: of };
  return {
    ...(image && { image }),
    workspaceId: `w-${randomBytes(6).toString("hex")}`,
    workspaceNumber: (lastNumber += 1),
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
