/** A collector of traces on this machine: OTLP over HTTP, as JSON. */
import type { ServerResponse } from "node:http";
import { startAnswering, type AnsweringServer } from "./start-answering.ts";

type Value = string | number | boolean | undefined;

interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentSpanId: string;
  name: string;
  /** Its failure, if it failed. */
  failure: string | undefined;
  attributes: Record<string, Value>;
  /** The process's own attributes. */
  resource: Record<string, Value>;
}

interface TestCollector extends AnsweringServer {
  /** Everything received so far. */
  spans(): CollectedSpan[];
  /** Of these, the trace that begins with a span of this name; throws unless there is exactly one. */
  traceOf(name: string): CollectedSpan[];
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean };
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<CollectedSpan, "failure" | "attributes"> & { attributes: Attribute[]; status: { code: number; message?: string } })[];
    }[];
  }[];
}

/** `answer`: what it does with each batch; by default it accepts them. */
export async function startCollector(answer = (response: ServerResponse): void => void response.end("{}")): Promise<TestCollector> {
  const server = await startAnswering((response) => {
    response.setHeader("content-type", "application/json");
    answer(response);
  });
  const spans = (): CollectedSpan[] =>
    server.asked.flatMap(({ body }) =>
      (JSON.parse(body) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) =>
          scope.spans.map(({ traceId, spanId, parentSpanId, name, attributes, status }) => ({
            traceId,
            spanId,
            parentSpanId: parentSpanId ?? "",
            name,
            failure: status.code === failed ? (status.message ?? "") : undefined,
            attributes: asRecord(attributes),
            resource: asRecord(resource.attributes),
          })),
        ),
      ),
    );
  return {
    ...server,
    spans,
    traceOf(name) {
      const all = spans();
      const begins = all.filter((span) => span.parentSpanId === "" && span.name === name);
      if (begins.length !== 1) throw new Error(`${begins.length} traces begin with ${name}: ${all.map((span) => span.name).join(", ")}`);
      return all.filter(({ traceId }) => traceId === begins[0]!.traceId);
    },
  };
}

/** STATUS_CODE_ERROR of OTLP. */
const failed = 2;

const asRecord = (attributes: readonly Attribute[]): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );
