/** A port besides the service's own, for the operator's programs on the same machine or network: they are few, and each call is quick. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { secondMs } from "#platform/clock.ts";
import { StartTrouble } from "#platform/start-trouble.ts";

export interface InnerPort {
  port: number;
  close(): Promise<void>;
}

export interface InnerAddress {
  host: string;
  port: number;
}

const serverLimits = { requestTimeout: 10 * secondMs, headersTimeout: 5 * secondMs, keepAliveTimeout: 75 * secondMs };
const mostConnections = 20;
/** A connection that is silent, or whose client does not read the response, is closed after this time. */
const usualSilenceMs = 10 * secondMs;

/**
 * Answers requests there. `what` and `settings` appear in the message of the StartTrouble that is thrown if the address can't be used, such
 * as "Metrics" and "METRICS_PORT or METRICS_HOST". `silenceMs`: shorter for tests.
 */
export async function openInnerPort(
  answer: RequestListener,
  at: InnerAddress,
  { what, settings }: { what: string; settings: string },
  silenceMs = usualSilenceMs,
): Promise<InnerPort> {
  const server = createServer(serverLimits, answer);
  server.maxConnections = mostConnections;
  server.timeout = silenceMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(new StartTrouble(`${what} can't be served on ${at.host}:${at.port} (${cause.code}). Change ${settings}.`, { cause })),
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
