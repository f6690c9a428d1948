/** The end of a workspace's start, from which on it is held to the processor time that it has for good. */
import type { ProcessHost } from "./process-host.ts";
import type { ProcessRecord } from "./process-record.ts";

/** n8n is ready within 20 s on a machine that has other work, too. More would be time in which a tenant may take from its neighbours. */
export const startMs = 30_000;

/** Holds this process to its lasting bounds, once. */
export async function settle({ sandbox, settled }: ProcessHost, workspaceId: string, { pid, uid, sandboxed }: ProcessRecord): Promise<void> {
  if (!sandbox || !sandboxed || uid === undefined || settled.get(workspaceId) === pid) return;
  await sandbox.settle({ uid });
  settled.set(workspaceId, pid);
}

/** The same when its start is over, whether or not somebody looks at it then: looks at running workspaces come once a minute. */
export function settleLater(host: ProcessHost, workspaceId: string, record: ProcessRecord): void {
  const isStill = () => host.children.get(workspaceId)?.record.pid === record.pid;
  setTimeout(() => void (isStill() && settle(host, workspaceId, record)), startMs).unref();
}
