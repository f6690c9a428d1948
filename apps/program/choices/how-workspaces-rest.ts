/** How idle workspaces are treated, depending on the operator's setting and on what the engine supports. */
import type { Config } from "../settings/config.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import type { Reconciler } from "../../provisioner/reconcile/step.ts";

/** If an engine cannot tell whether its workspaces may sleep, they stay awake and only their memory is paged out. */
export function howWorkspacesRest(
  setting: Config["workspaceSleep"],
  engine: Pick<Engine, "sleep">,
): Pick<Reconciler, "sleeps" | "pagesOut"> {
  const pagesOut = setting === "auto";
  return { sleeps: pagesOut && engine.sleep !== undefined, pagesOut };
}
