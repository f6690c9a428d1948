/** How long the gateway waits and how much it holds. */
import { timeLimits } from "#platform/time-limits.ts";

export interface GatewayLimits {
  /** Within one machine or cluster, a connection is made in milliseconds or never. */
  connectTimeoutMs: number;
  /** From the end of the request to the response headers: webhooks may answer at the end of a long execution. */
  headersTimeoutMs: number;
  /**
   * How long the body of a request may pause, or its workspace not read it, while there is no answer yet. As a whole an upload may take any
   * time.
   */
  uploadSilenceMs: number;
  /** How long a visitor may read nothing of an answer that its workspace holds. As a whole a download may take any time. */
  readSilenceMs: number;
  /** For how long a visitor's rate is measured. Those who read slowly make room when others wait for their places. */
  slowReadMs: number;
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
  connectTimeoutMs: timeLimits.connectMs,
  headersTimeoutMs: timeLimits.workspaceAnswerMs,
  uploadSilenceMs: timeLimits.uploadSilenceMs,
  readSilenceMs: timeLimits.readSilenceMs,
  slowReadMs: timeLimits.slowReadMs,
  handshakeTimeoutMs: timeLimits.handshakeMs,
  maxInFlight: 512,
  maxWaitMs: timeLimits.workspaceWaitMs,
  maxWaitingPerWorkspace: 1000,
  maxWaiting: 4000,
};
