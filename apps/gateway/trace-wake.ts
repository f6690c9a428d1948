/** A wake as the beginning of a trace, which the worker continues. Other requests are not traced: the metrics count them. */
import { asWork } from "#platform/tracing/current-work.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { GatewayRoute } from "./routes/gateway-route.ts";

/** A request that waits for a sleeping workspace. */
interface TracedWake {
  /** Runs the function that requests the wake. */
  run<T>(request: () => T): T;
  /** The waiting is over: `outcome` is the workspace's state at that time. */
  end(outcome: string): void;
}

/** A trace header sent by the visitor is meant for the workspace: it is passed on, and not continued here. */
export function traceWake(tracer: Tracer | null, workspaceId: string): TracedWake {
  const span = tracer?.begin("gateway: wake", { "slipway.workspace.id": workspaceId }) ?? null;
  return {
    run: (request) => asWork({ workspaceId }, span, request),
    end(outcome) {
      span?.set({ "slipway.outcome": outcome });
      span?.end();
    },
  };
}

/** How a wait ended, as one word for the trace. */
export const stateOf = (route: GatewayRoute | null | "full"): string => (route === "full" ? "full" : (route?.state ?? "unknown"));
