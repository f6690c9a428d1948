/**
 * Sends ended spans to a collector with OpenTelemetry's exporter: OTLP over HTTP as JSON. A slow or broken collector cannot slow down the
 * service: spans wait in a bounded queue, a connection has a time limit, and spans that do not fit or are not accepted are dropped.
 */
import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { BatchSpanProcessor, type SpanProcessor } from "@opentelemetry/sdk-trace";
import { minuteMs, secondMs } from "../clock.ts";
import type { Log } from "../log.ts";
import { atMostEvery } from "../loops/at-most-every.ts";
import { asWork } from "./current-work.ts";

export interface TracesSetting {
  /** The collector's address, without a slash at its end; traces go to `v1/traces` below it. */
  endpoint: string;
  /** Sent with each request to the collector, such as a key. */
  headers: Readonly<Record<string, string>>;
  /** `none` by default. */
  compression?: "gzip" | "none";
  /** The operator's attributes of the service, such as its name. */
  resource?: Readonly<Record<string, string>>;
}

interface SpanExport {
  /** Takes ended spans. */
  processor: SpanProcessor;
  /** Sends what is left, for two seconds at most; spans that end later are dropped. */
  close(): Promise<void>;
}

/** Together with the batch being sent, about 3 MB of spans. */
const mostQueued = 2048;
const mostInBatch = 512;
const sendEveryMs = 2 * secondMs;
/** Applies to each retry, and to each connection. A collector beside the service answers in milliseconds. */
const sendWithinMs = 5 * secondMs;
const closeWithinMs = 2 * secondMs;
const sayEveryMs = minuteMs;
const longestReason = 200;

export function createSpanExport({ endpoint, headers, compression }: TracesSetting, log: Log): SpanExport {
  /** Why the last connection failed. The exporter reports it only once it gives up. */
  let trouble: Error | undefined;

  const sayDropped = atMostEvery(sayEveryMs, (reason: string) => {
    // The export belongs to no work, even if one of its spans triggered the sending.
    asWork({}, null, () => log.warn({ reason: reason.slice(0, longestReason) }, "traces could not be exported and are dropped"));
  });

  const agent = withLimit(endpoint.startsWith("https:") ? new TlsAgent() : new Agent(), (error) => void (trouble = error));
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    compression: compression === "gzip" ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
    timeoutMillis: sendWithinMs,
    httpAgentOptions: () => agent,
  });
  const processor = new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          if (result.error) sayDropped(reasonOf(result.error));
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize: mostQueued,
    maxExportBatchSize: mostInBatch,
    scheduledDelayMillis: sendEveryMs,
    // The exporter's own limits take precedence.
    exportTimeoutMillis: 3 * sendWithinMs,
  });
  // It warns of a full queue, of spans that the collector has rejected, and of an unreadable answer to spans that were accepted. Its errors
  // are those that the exporter has returned.
  const warn = (...said: unknown[]): void => {
    const reason = said.join(" ");
    if (!reason.startsWith("Failed to parse trace export response")) sayDropped(reason);
  };
  diag.setLogger(
    { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );

  return {
    processor,
    async close() {
      const isOver = processor.shutdown().then(
        () => true,
        () => true,
      );
      if (!(await Promise.race([isOver, delay(closeWithinMs, false, { ref: false })])))
        sayDropped(trouble ? reasonOf(trouble) : "the collector took too long at the end");
      diag.disable();
      agent.destroy();
    },
  };
}

const ignore = (): void => undefined;

/**
 * Ends each connection after `sendWithinMs`. The exporter's limit counts silence only: a collector that sends a byte now and then would
 * keep its place, and after thirty such connections nothing more would be exported.
 */
function withLimit(agent: Agent, failed: (error: Error) => void): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = connect(...given);
    const late = new Error("the collector took too long");
    const timer = setTimeout(() => socket?.destroy(late), sendWithinMs).unref();
    socket?.once("error", failed).once("close", () => clearTimeout(timer));
    return socket;
  };
  return agent;
}

/** As the error's code, the exporter gives the status of an answer, Node a word. */
function reasonOf(error: Error): string {
  const { code } = error as { code?: string | number };
  return typeof code === "number" ? `the collector answered ${code}` : (code ?? error.message);
}
