/** What the gateway must know about a workspace to forward a request or refuse it clearly. */

export interface GatewayRoute {
  workspaceId: string;
  /** `asleep`: it answers once it has been woken. */
  state: "starting" | "online" | "asleep" | "offline" | "stopped";
  /** It slept without a process: `asleep`, it takes a start; `starting`, it is being woken. */
  isCold?: true;
  /** Why a stopped workspace is stopped, if known: an unpaid subscription, an ended trial or an ended subscription. */
  stoppedBecause?: "paused" | "trial-ended" | "ended" | undefined;
  /** `host:port` of the running workspace; null while it is not running. */
  address: string | null;
  /** Whether visitors are let in. Our own probe does not need it. */
  open: boolean;
  /** A sentence shown to every visitor, so it must not contain anything private. */
  reason?: string;
}

/** Finds the route of an account's workspace; null if there is none. Rejects if the lookup fails. */
export type LookUpRoute = (accountName: string) => Promise<GatewayRoute | null>;
