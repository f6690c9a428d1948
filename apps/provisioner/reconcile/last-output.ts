/** What a workspace printed last, for its journal: evidence, for which no step stops. */
import type { Scope } from "./step.ts";

const mostBytes = 4000;

/** Never fails: a workspace must be stopped or started anew even if its output cannot be read, on a disk that is read-only for example. */
export async function lastOutput({ driver, workspace, log }: Pick<Scope, "driver" | "workspace" | "log">): Promise<string> {
  try {
    return await driver.logs(workspace.id, mostBytes);
  } catch (err) {
    log.warn({ err, workspaceId: workspace.id }, "the output of a workspace could not be read");
    return "";
  }
}
