import { useEffect, useState } from "react";
import { frontEndConfig, useFrontEndConfig } from "./front-end-config.ts";

/** The service's time in milliseconds: the browser's, unless a tester has moved the service's clock. */
export const serviceNowMs = (): number => Date.now() + (frontEndConfig()?.clockAheadMs ?? 0);

/** The present moment of the service in milliseconds, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const { clockAheadMs } = useFrontEndConfig();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs + clockAheadMs;
}
