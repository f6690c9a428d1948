/** The product's interface to traces. `otlp-tracer.ts`, which exports them, is loaded only if traces are wanted. */

/** Facts about a span: ids, counts and words from fixed lists, never what a customer wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A part of a trace: something that took time. One that is never ended is not exported. */
export interface Span {
  readonly traceId: string;
  /** As a W3C traceparent, for the row that hands the work to another process. */
  readonly traceparent: string;
  readonly isEnded: boolean;
  /** Begins a part of this one. */
  child(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** `failure`: a code or an error's name; not its message, which may contain a customer's data. */
  end(failure?: string): void;
  /** Ends it, but leaves it out of the trace if it was shorter than `ms` and has no parts. */
  endUnlessShort(ms: number): void;
}

export interface Tracer {
  /**
   * Begins a trace that started `agoMs` ago; null if many with this name have just begun. The name is from a fixed list, such as a route's
   * pattern. A trace sent by a caller is not continued: strangers would decide what is recorded.
   */
  begin(name: string, attributes?: SpanAttributes, agoMs?: number): Span | null;
  /** Continues the trace of a row; null for a text that is not a traceparent. */
  resume(traceparent: string, name: string, attributes?: SpanAttributes): Span | null;
  /** Exports what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** Continues the trace of a row; null if the row has none, or this process does not trace. */
export const continueTrace = (
  tracer: Tracer | null | undefined,
  traceparent: string | null,
  name: string,
  attributes?: SpanAttributes,
): Span | null => (tracer && traceparent ? tracer.resume(traceparent, name, attributes) : null);
