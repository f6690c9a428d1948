/** What the gateway must know about a workspace to let somebody in or to say clearly why not. */

export interface GatewayRoute {
  workspaceId: string;
  state: "starting" | "online" | "offline" | "stopped";
  /** Of a stopped one, as far as it is known: a payment is missing, the trial is over, or the subscription is. */
  stoppedBecause?: "paused" | "trial-ended" | "ended" | undefined;
  /** `host:port` where the workspace answers; null while it runs nowhere. */
  address: string | null;
  /** Only then is anybody but our own probe let in. */
  open: boolean;
  /** A sentence shown to whoever opens the address: nothing private. */
  reason?: string;
}

/** Answers where an account's workspace is, null when there is none; rejects when it cannot tell. */
export type LookUpRoute = (accountName: string) => Promise<GatewayRoute | null>;
