/** Waits for billing to become active after money was asked for (SPEC §4), as long as the page is there. */
import { useCallback, useEffect, useRef } from "react";
import { refreshUser } from "../../lib/session.ts";
import { acceptUser } from "./billing-queries.ts";
import { waitForBilling, type WaitOutcome } from "./wait-for-billing.ts";

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Reads the user; true when they pay and all is well. */
async function isActive(): Promise<boolean> {
  const user = await refreshUser();
  if (user?.account.billing?.status !== "active") return false;
  acceptUser(user);
  return true;
}

/** Starts a wait, ending the one before; leaving the page ends it too. */
export function useBillingWait(): (onTry?: (attempt: number) => void) => Promise<WaitOutcome> {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback((onTry) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    return waitForBilling({ isActive, wait: (ms) => pause(ms, signal), signal, ...(onTry ? { onTry } : {}) });
  }, []);
}
