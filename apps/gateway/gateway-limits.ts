/** How long the gateway waits and how much it holds. */
import { minuteMs, secondMs } from "#platform/clock.ts";

export interface GatewayLimits {
  /** Within one machine or cluster, a connection is made in milliseconds or never. */
  connectTimeoutMs: number;
  /** From the end of the request to the response headers: webhooks may answer at the end of a long execution. */
  headersTimeoutMs: number;
  /** Shorter, because an upgrade does not wait for an execution. */
  handshakeTimeoutMs: number;
  /** Concurrent requests and tunnels of one workspace, so that a flood affects only its own tenant. */
  maxInFlight: number;
  /**
   * How long a request waits for its workspace to start: longer than n8n takes on a busy host (23 s), shorter than webhook
   * senders' usual timeout (30 s).
   */
  maxWaitMs: number;
  /** Enough for about 35 webhooks a second during `maxWaitMs`. A waiting request costs a socket and about 20 KB. */
  maxWaitingPerWorkspace: number;
  maxWaiting: number;
}

export const defaultGatewayLimits: GatewayLimits = {
  connectTimeoutMs: 2 * secondMs,
  headersTimeoutMs: 5 * minuteMs,
  handshakeTimeoutMs: 30 * secondMs,
  maxInFlight: 512,
  maxWaitMs: 28 * secondMs,
  maxWaitingPerWorkspace: 1000,
  maxWaiting: 4000,
};
