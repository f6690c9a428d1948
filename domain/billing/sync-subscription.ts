/** The provider's truth about an account, read and applied. Every event, call and sweep ends here. */
import type { Billing } from "./billing.ts";

export interface SyncOutcome {
  /** Whether anything of the held subscription changed. */
  changed: boolean;
}

/** Reads the account's subscription at the provider, and what became of its open checkouts, and applies it. Throws the port's errors. */
export async function syncSubscription(_billing: Billing, _accountId: string): Promise<SyncOutcome> {
  throw new Error("not there yet");
}
