/** A workspace's last output, for its journal: useful evidence, but no step fails without it. */
import type { Scope } from "./step.ts";

const mostBytes = 4000;

/** Never fails: a workspace must be stopped or restarted even if its output cannot be read, for example on a read-only disk. */
export async function lastOutput({ driver, workspace, log }: Pick<Scope, "driver" | "workspace" | "log">): Promise<string> {
  try {
    return await driver.logs(workspace.id, mostBytes);
  } catch (err) {
    log.warn({ err, workspaceId: workspace.id }, "the output of a workspace could not be read");
    return "";
  }
}
