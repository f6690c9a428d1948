/** The setup that the HTTP server in front of the gateway must have. */
import type { ServerOptions } from "node:http";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { timeLimits } from "#platform/time-limits.ts";

/**
 * Options for `http.createServer`. The parser stays strict, against request smuggling. Headers have a time limit;
 * whole requests have none, because an upload may take any time. Only WebSockets are upgrades, so that
 * an `Upgrade: h2c` is answered as a plain request.
 */
export const gatewayServerOptions: ServerOptions = {
  insecureHTTPParser: false,
  requireHostHeader: true,
  headersTimeout: timeLimits.headMs,
  requestTimeout: 0,
  // Longer than the usual idle timeout of load balancers (60 s), so that they close first and never write to a closed connection.
  keepAliveTimeout: 65 * secondMs,
  connectionsCheckingInterval: minuteMs / 2,
  maxHeaderSize: 32 * 1024,
  noDelay: true,
  shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === "websocket",
};
