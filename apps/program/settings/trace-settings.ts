/** Where traces are exported, by the names and in the forms that OpenTelemetry gave these settings. */
import { z } from "zod";
import type { TracesSetting } from "#platform/tracing/export-spans.ts";
import { optional, webAddress, withDefault } from "./setting-shapes.ts";

/** `name=value,other=value`, with encoded values. A problem's message contains no value, because it may be a key. */
const pairList = (example: string, asName: (name: string) => string) =>
  z.string().transform((list, context): Record<string, string> => {
    const pairs = list.split(",").map((pair) => /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x21-\x7e ]*?)\s*$/.exec(pair));
    try {
      return Object.fromEntries(pairs.map((pair) => [asName(pair![1]!), decodeURIComponent(pair![2]!)]));
    } catch {
      context.addIssue({ code: "custom", message: `must be ${example}, separated by commas` });
      return z.NEVER;
    }
  });

export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webAddress),
  OTEL_EXPORTER_OTLP_HEADERS: optional(pairList("headers such as authorization=Bearer%20key", (name) => name.toLowerCase())),
  OTEL_EXPORTER_OTLP_COMPRESSION: withDefault(z.enum(["none", "gzip"]), "none"),
  OTEL_SERVICE_NAME: optional(z.string()),
  OTEL_RESOURCE_ATTRIBUTES: optional(pairList("attributes such as deployment.environment.name=staging", (name) => name)),
};

/** Null: nothing is traced. */
export function readTraces(settings: z.infer<z.ZodObject<typeof traceSettings>>): TracesSetting | null {
  if (!settings.OTEL_EXPORTER_OTLP_ENDPOINT) return null;
  const name = settings.OTEL_SERVICE_NAME;
  return {
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    compression: settings.OTEL_EXPORTER_OTLP_COMPRESSION,
    resource: { ...settings.OTEL_RESOURCE_ATTRIBUTES, ...(name && { "service.name": name }) },
  };
}
