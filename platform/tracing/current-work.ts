/** What the current work belongs to: the ids in its log lines, and the span that it is part of. Follows awaits, timers and events. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Span, SpanAttributes } from "./tracer.ts";

/** Ids that every log line of the work carries. */
interface WorkIds {
  requestId?: string;
  workspaceId?: string;
}

interface Work {
  ids: WorkIds;
  span: Span | null;
}

const storage = new AsyncLocalStorage<Work>();

/** A span that has ended has no more parts: what outlives it, such as a watched process, is not part of the trace. */
const currentSpan = (): Span | null => {
  const span = storage.getStore()?.span;
  return span && !span.isEnded ? span : null;
};

/** Runs it with these ids in its log lines, as part of `span`, which it does not end. */
export function asWork<T>(ids: WorkIds, span: Span | null, run: () => T): T {
  return storage.run({ ids, span }, run);
}

/** Like `asWork`, and ends the span with it. */
export function asSpan<T>(ids: WorkIds, span: Span | null, run: () => Promise<T>): Promise<T> {
  return asWork(ids, span, () => (span ? ended(span, run(), 0) : run()));
}

/**
 * Runs `run` as a part of the current span; without one, it just runs it. `run` may add facts to its span. A part shorter than `leaveOutMs`
 * is left out of the trace if it has no parts.
 */
export function inSpan<T>(name: string, attributes: SpanAttributes, run: (span: Span | null) => Promise<T>, leaveOutMs = 0): Promise<T> {
  const parent = currentSpan();
  if (!parent) return run(null);
  const span = parent.child(name, attributes);
  return asWork(storage.getStore()!.ids, span, () => ended(span, run(span), leaveOutMs));
}

async function ended<T>(span: Span, work: Promise<T>, leaveOutMs: number): Promise<T> {
  try {
    const result = await work;
    span.endUnlessShort(leaveOutMs);
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : "error");
    throw error;
  }
}

/** For a column of the row that hands the current work to another process; undefined if it is not traced. */
export const currentTraceparent = (): string | undefined => currentSpan()?.traceparent;

/** The API request that the current work belongs to; undefined outside one. */
export const currentRequestId = (): string | undefined => storage.getStore()?.ids.requestId;

/** The current work's fields for a log line. */
export function workFields(): Record<string, string> {
  const ids = storage.getStore()?.ids;
  const span = currentSpan();
  return { ...ids, ...(span && { traceId: span.traceId }) };
}
