/** Serves the metrics on a separate port, which neither customers nor workspaces should reach. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { StartTrouble } from "#platform/start-trouble.ts";

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Scrapers are few and quick; other callers get little. */
const serverLimits = { requestTimeout: 10 * secondMs, headersTimeout: 5 * secondMs, keepAliveTimeout: 75 * secondMs };
const mostConnections = 20;
/** A connection that is silent, or whose client does not read the response, is closed after this time: there are few. */
const usualSilenceMs = 10 * secondMs;

export interface MetricsSource {
  registry: Registry;
  /** Brings the figures up to date that are not counted as they happen. */
  refresh(): Promise<void>;
}

/** Answers GET /metrics in Prometheus's text format. Throws StartTrouble if the address can't be used. `silenceMs`: shorter for tests. */
export async function serveMetrics(
  { registry, refresh }: MetricsSource,
  at: { host: string; port: number },
  log: Log,
  silenceMs = usualSilenceMs,
): Promise<MetricsServer> {
  const collect = async (): Promise<string> => {
    await refresh();
    return registry.metrics();
  };
  const server = createServer(serverLimits, (req, res) => {
    if (req.url?.split("?")[0] !== "/metrics") return void res.writeHead(404).end();
    if (req.method !== "GET" && req.method !== "HEAD") return void res.writeHead(405, { allow: "GET, HEAD" }).end();
    collect().then(
      (text) => res.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" }).end(text),
      (err: unknown) => {
        log.error({ err }, "the metrics could not be collected");
        res.writeHead(500).end();
      },
    );
  });
  server.maxConnections = mostConnections;
  server.timeout = silenceMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new StartTrouble(`Metrics can't be served on ${at.host}:${at.port} (${cause.code}). Change METRICS_PORT or METRICS_HOST.`, {
          cause,
        }),
      ),
    );
    server.listen(at, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
