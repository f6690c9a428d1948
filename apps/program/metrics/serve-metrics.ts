/** Serves the metrics on a separate port, which neither customers nor workspaces should reach. */
import type { Registry } from "prom-client";
import type { Log } from "#platform/log.ts";
import { openInnerPort, type InnerAddress, type InnerPort } from "../open-inner-port.ts";

interface MetricsSource {
  registry: Registry;
  /** Updates the figures that are not counted as they happen. */
  refresh(): Promise<void>;
}

/** Answers GET /metrics in Prometheus's text format. Throws StartTrouble if the address can't be used. `silenceMs`: shorter for tests. */
export async function serveMetrics(
  { registry, refresh }: MetricsSource,
  at: InnerAddress,
  log: Log,
  silenceMs?: number,
): Promise<InnerPort> {
  const collect = async (): Promise<string> => {
    await refresh();
    return registry.metrics();
  };
  return openInnerPort(
    (req, res) => {
      if (req.url?.split("?")[0] !== "/metrics") return void res.writeHead(404).end();
      if (req.method !== "GET" && req.method !== "HEAD") return void res.writeHead(405, { allow: "GET, HEAD" }).end();
      collect().then(
        (text) => res.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" }).end(text),
        (err: unknown) => {
          log.error({ err }, "the metrics could not be collected");
          res.writeHead(500).end();
        },
      );
    },
    at,
    { what: "Metrics", settings: "METRICS_PORT or METRICS_HOST" },
    silenceMs,
  );
}
