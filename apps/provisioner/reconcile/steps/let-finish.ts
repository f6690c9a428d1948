/** Lets recent requests finish between closing the gateway and stopping the workspace. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../step.ts";

/**
 * Gateways learn of the closing within milliseconds, and most webhooks are answered soon after. Longer executions are left to the tool: n8n
 * lets them end before it stops.
 */
const finishMs = 500;

/** Runs `close`, which closes the gateway to a workspace, and waits for requests if it was open. */
export async function closeAndLetFinish(
  { observed, seen, outside }: Pick<Scope, "observed" | "seen" | "outside">,
  close: () => Promise<void>,
): Promise<void> {
  const hasVisitors = observed.gatewayOpen && seen.state === "running";
  await close();
  if (hasVisitors) await outside(() => sleep(finishMs));
}
