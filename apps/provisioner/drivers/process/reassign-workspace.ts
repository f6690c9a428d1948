import { DriverFailure, type RunObservation, type RunSpec } from "../driver.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { observeWorkspace } from "./observe-workspace.ts";
import type { ProcessHost } from "./host/process-host.ts";
import { dropOutput } from "./running/output-log.ts";
import { isAlive, readRecord, rewriteRecord } from "./running/process-record.ts";

/** Records the running process as one of this spec, started now, and drops its earlier output. */
export async function reassignWorkspace(host: ProcessHost, spec: RunSpec): Promise<RunObservation> {
  const paths = host.paths(spec.workspaceId);
  const record = await readRecord(paths);
  if (!record || !(await isAlive(record))) throw new DriverFailure("start_failed", "the workspace does not run");
  const { generation, stopTimeoutMs } = spec;
  await dropOutput(paths);
  // Its processor share begins as after a start.
  host.shares?.forget(spec.workspaceId);
  await rewriteRecord(paths, { specHash: hashRunSpec(spec), generation, stopTimeoutMs, startedAt: host.clock.now().toISOString() });
  return observeWorkspace(host, spec.workspaceId);
}
