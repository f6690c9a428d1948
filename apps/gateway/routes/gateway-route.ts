/** What the gateway must know about a workspace to forward a request or refuse it clearly. */

export interface GatewayRoute {
  workspaceId: string;
  /** `asleep`: it answers once it has been woken. */
  state: "starting" | "online" | "asleep" | "offline" | "stopped";
  /** It slept without a process: if `asleep`, waking it means starting it; if `starting`, it is being woken. */
  isCold?: true;
  /** Why a stopped workspace is stopped, if known: an operator, an unpaid subscription, an ended trial or an ended subscription. */
  stoppedBecause?: "suspended" | "paused" | "trial-ended" | "ended" | undefined;
  /** Of the running workspace, as its driver observed it; null while it is not running. */
  address: string | null;
  /**
   * Another host has it: `address` is that host's gateway, which decides whether to let visitors in, whether to wake it, and what to count.
   * `silent`: that host has sent no recent heartbeat, and no request waits for it.
   */
  elsewhere?: "heard" | "silent";
  /** How many calls of its webhooks it works on at a time; the gateway's limit if left out. */
  callsAtOnce?: number;
  /** Whether visitors are let in. Our own probe does not need it. */
  open: boolean;
  /** Progress of its start, from 0 to 100, if its worker has reported it. */
  percent?: number;
  /** A sentence shown to every visitor, so it must not contain anything private. */
  reason?: string;
}

/** Finds the route of an account's workspace; null if there is none. Rejects if the lookup fails. */
export type LookUpRoute = (accountName: string) => Promise<GatewayRoute | null>;
