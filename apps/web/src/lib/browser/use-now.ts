import { useEffect, useState } from "react";
import { frontEndConfig, useFrontEndConfig } from "../front-end-config.ts";

/** The service's time in milliseconds, even if the browser's clock is wrong or a tester has moved the service's. */
export const serviceNowMs = (): number => Date.now() + (frontEndConfig()?.serviceAheadMs ?? 0);

/** The service's current time in milliseconds, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const { serviceAheadMs } = useFrontEndConfig();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs + serviceAheadMs;
}
