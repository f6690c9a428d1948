/** Waits for the payment provider's confirmation, as long as the page is open. */
import { useCallback, useEffect, useRef } from "react";
import type { User } from "#contract/accounts/account.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { refreshUser } from "../../../lib/session/session.ts";
import { isInForce } from "../in-force.ts";
import { acceptUser } from "../billing-queries.ts";
import { waitForBilling, type WaitOutcome } from "./wait-for-billing.ts";

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Whether the service considers the subscription active; false if there is none. */
async function checkBillingActive(): Promise<boolean> {
  try {
    await callApi("isBillingActive");
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** Whether the user pays and has no payment problems. */
export const isBillingActive = (user: User): boolean => isInForce(user.account.billing?.status);

interface WaitOptions {
  /** The condition to wait for; by default that billing is active, according to the check and the user. */
  until?: (user: User) => boolean;
  onTry?: (attempt: number) => void;
}

/** Starts a wait, which ends the previous one; leaving the page ends it too. */
export function useBillingWait(): (options?: WaitOptions) => Promise<WaitOutcome> {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback(({ until, onTry } = {}) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const isActive = async () => {
      // The user is reloaded on each attempt, whatever the check says.
      const [passes, user] = until ? [until, await refreshUser()] : [(await checkBillingActive()) && isBillingActive, await refreshUser()];
      if (!user || !passes || !passes(user)) return false;
      acceptUser(user);
      return true;
    };
    return waitForBilling({ isActive, wait: (ms) => pause(ms, signal), signal, ...(onTry ? { onTry } : {}) });
  }, []);
}
