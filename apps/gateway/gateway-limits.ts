/** How long the gateway waits and how much it holds; each number has its reason. */
import { minuteMs, secondMs } from "#platform/clock.ts";

export interface GatewayLimits {
  /** On one machine or in one cluster a connection stands in milliseconds or never. */
  connectTimeoutMs: number;
  /** From the end of the request to the head of the answer: webhooks may answer at the end of a long run. */
  headersTimeoutMs: number;
  /** An upgrade has no run behind it. */
  handshakeTimeoutMs: number;
  /** Requests and tunnels under way for one workspace; a tenant's flood stays its own trouble. */
  maxInFlight: number;
  /** How long a request waits for its workspace to start: longer than n8n takes on a busy host (23 s), and below the 30 s after which senders of webhooks give up. */
  maxWaitMs: number;
  /** Fifty webhooks a second for all of that time. A waiting request costs a socket and some 20 KB. */
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
