import { useEffect, useState } from "react";
import { frontEndConfig, useFrontEndConfig } from "../front-end-config.ts";

/** The service's time in milliseconds, also where the browser's clock is wrong or a tester has moved the service's. */
export const serviceNowMs = (): number => Date.now() + (frontEndConfig()?.serviceAheadMs ?? 0);

/** The present moment of the service in milliseconds, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const { serviceAheadMs } = useFrontEndConfig();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs + serviceAheadMs;
}
