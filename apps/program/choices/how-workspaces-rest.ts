/** What idle workspaces may do, by the operator's setting and by what the engine can tell. */
import type { Config } from "../settings/config.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import type { Reconciler } from "../../provisioner/reconcile/step.ts";

/** Those of an engine that cannot tell whether they may sleep stay awake, and are paged out while they do. */
export function howWorkspacesRest(
  setting: Config["workspaceSleep"],
  engine: Pick<Engine, "sleep">,
): Pick<Reconciler, "sleeps" | "pagesOut"> {
  const pagesOut = setting === "auto";
  return { sleeps: pagesOut && engine.sleep !== undefined, pagesOut };
}
