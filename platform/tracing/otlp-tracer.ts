/** Traces by OpenTelemetry's SDK, behind the product's own few calls. Import it only where traces are exported. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context, type SpanContext } from "@opentelemetry/api";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { createSpanExport, type TracesSetting } from "./export-spans.ts";
import type { Span, SpanAttributes, Tracer } from "./tracer.ts";

/**
 * New traces for each name: a flood of one call neither fills the collector nor hides the others. What a person clicks stays far below it.
 */
const beginsPerSecond = 5;
const mostBegins = 10;
/** Longer than any id or word. */
const longestText = 200;

interface Beginning {
  kind: SpanKind;
  /** Its parent, if it has one. */
  within: Context;
  startMs: number;
  /** How long ago it began. */
  agoMs?: number;
}

/**
 * `resource`: attributes of the process besides its name. The provider is not registered globally: packages that trace through
 * OpenTelemetry's API find none, so only the product's own spans are exported, and never a statement or address from a library.
 */
export function createOtlpTracer(setting: TracesSetting, resource: SpanAttributes, log: Log): Tracer {
  const { processor, close } = createSpanExport(setting, log);
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ "service.name": "slipway", ...resource, ...setting.resource })),
    spanLimits: { attributeValueLengthLimit: longestText },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("slipway");
  const mayBegin = createBegins();

  function startSpan(name: string, { kind, within, startMs, agoMs = 0 }: Beginning, attributes: SpanAttributes = {}): Span {
    const span = tracer.startSpan(name, { kind, attributes, startTime: startMs }, within);
    const { traceId, spanId } = span.spanContext();
    const startedAt = performance.now() - agoMs;
    // By the clock that is never set, so that a part lies within its whole.
    const nowMs = () => startMs + performance.now() - startedAt;
    let isEnded = false;
    let hasParts = false;
    const end = (failure?: string): void => {
      if (isEnded) return;
      isEnded = true;
      if (failure !== undefined) span.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end(nowMs());
    };
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-01`,
      get isEnded() {
        return isEnded;
      },
      child(part, partAttributes) {
        hasParts = true;
        return startSpan(part, { kind: SpanKind.INTERNAL, within: trace.setSpan(ROOT_CONTEXT, span), startMs: nowMs() }, partAttributes);
      },
      set(more) {
        if (!isEnded) span.setAttributes(more);
      },
      end,
      endUnlessShort(ms) {
        if (!hasParts && nowMs() - startMs < ms) isEnded = true;
        else end();
      },
    };
  }

  return {
    begin(name, attributes, agoMs = 0) {
      if (!mayBegin(name)) return null;
      return startSpan(name, { kind: SpanKind.SERVER, within: ROOT_CONTEXT, startMs: Date.now() - agoMs, agoMs }, attributes);
    },
    resume(traceparent, name, attributes) {
      const row = readTraceparent(traceparent);
      if (!row) return null;
      return startSpan(name, { kind: SpanKind.CONSUMER, within: trace.setSpanContext(ROOT_CONTEXT, row), startMs: Date.now() }, attributes);
    },
    close,
  };
}

/** Version 00 and sampled, as this program writes it: anything else is not continued. */
const traceparentShape = /^00-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-01$/;

function readTraceparent(text: string): SpanContext | null {
  const [, traceId, spanId] = traceparentShape.exec(text) ?? [];
  return traceId && spanId ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } : null;
}

/** Whether one more trace with this name may begin now. */
function createBegins(): (name: string) => boolean {
  const left = new Map<string, { begins: number; at: number }>();
  return (name) => {
    const now = performance.now();
    const known = left.get(name) ?? { begins: mostBegins, at: now };
    const begins = Math.min(mostBegins, known.begins + ((now - known.at) / 1000) * beginsPerSecond);
    const mayBegin = begins >= 1;
    left.set(name, { begins: mayBegin ? begins - 1 : begins, at: now });
    return mayBegin;
  };
}
