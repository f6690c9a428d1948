/** How the HTTP server in front of the gateway must be set up for the gateway's promises to hold. */
import type { ServerOptions } from "node:http";
import { minuteMs, secondMs } from "#platform/clock.ts";

/**
 * Options for `http.createServer`. The parser stays strict (request smuggling); heads have a time limit, whole
 * requests have none, because an upload may take longer than any limit; only WebSockets are upgrades, so that
 * an `Upgrade: h2c` is answered as the plain request it also is.
 */
export const gatewayServerOptions: ServerOptions = {
  insecureHTTPParser: false,
  requireHostHeader: true,
  headersTimeout: 30 * secondMs,
  requestTimeout: 0,
  // Longer than the idle time of usual load balancers (60 s), so that they close first and never write to a closed one.
  keepAliveTimeout: 65 * secondMs,
  connectionsCheckingInterval: minuteMs / 2,
  maxHeaderSize: 32 * 1024,
  noDelay: true,
  shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === "websocket",
};
