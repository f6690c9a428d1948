/** Between closing the door and stopping what is behind it: what came in a moment ago gets its answer. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../step.ts";

/**
 * Gateways hear of a closed door within milliseconds, and most webhooks are answered within some more. What takes longer is left to the
 * tool: n8n lets its executions end before it goes.
 */
const finishMs = 500;

/** Runs `close`, which shuts the gateway to a workspace, and lets visitors finish where there were any. */
export async function closeAndLetFinish(
  { observed, seen, outside }: Pick<Scope, "observed" | "seen" | "outside">,
  close: () => Promise<void>,
): Promise<void> {
  const hasVisitors = observed.gatewayOpen && seen.state === "running";
  await close();
  if (hasVisitors) await outside(() => sleep(finishMs));
}
