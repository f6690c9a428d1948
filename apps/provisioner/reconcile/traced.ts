/** The spans of a pass, as parts of the trace of the call or request that made its workspace due. */
import type { HeldWorkspace } from "#domain/workspaces/observed/observation-store.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { inSpan } from "#platform/tracing/current-work.ts";
import { continueTrace, type Span } from "#platform/tracing/tracer.ts";
import type { Reconciler, StepResult } from "./step.ts";

/**
 * For this long, waiting is part of the trace. A wait without end, such as for a workspace that finds no room, would fill the collector.
 */
const mostTracedMs = 15 * minuteMs;
/** Most steps of most passes have nothing to do, and look only at what was read before. */
const leaveOutMs = 1;

/** A step that has waited this long looks only to be sure. */
const routineMs = 30 * secondMs;

type Since = Pick<HeldWorkspace, "updatedAt" | "wakeAskedAt" | "startedAt">;

const isRecent = ({ updatedAt, wakeAskedAt, startedAt }: Since, now: Date): boolean =>
  now.getTime() - Math.max(...[updatedAt, wakeAskedAt, startedAt].map((at) => at?.getTime() ?? 0)) < mostTracedMs;

/** Whether the trace ends with this pass: the requested work is done, has failed, or takes too long. */
export const endsTrace = (result: StepResult, since: Since, now: Date): boolean =>
  result.kind !== "wait" || result.afterMs >= routineMs || !isRecent(since, now);

/** Null for a routine look, which no caller requested. */
export function beginPass({ tracer, clock }: Reconciler, workspace: HeldWorkspace): Span | null {
  if (!isRecent(workspace, clock.now())) return null;
  const { id, desiredState, engine } = workspace;
  const about = { "slipway.workspace.id": id, "slipway.desired": desiredState, "slipway.engine": engine };
  return continueTrace(tracer, workspace.traceparent, "reconcile", about);
}

/** Runs a step as a part of the pass's trace. */
export function asPart(step: string, run: () => Promise<StepResult>): Promise<StepResult> {
  const part = async (span: Span | null): Promise<StepResult> => {
    const result = await run();
    span?.set({ "slipway.result": result.kind });
    if (result.kind === "failed") span?.end(result.event);
    return result;
  };
  return inSpan(step, {}, part, leaveOutMs);
}
