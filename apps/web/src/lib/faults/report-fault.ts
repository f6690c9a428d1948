/** The entry point for error reports: small, because every page loads it. The rest is fetched at the first fault, if there is a DSN. */
import { frontEndConfig, watchFrontEndConfig } from "../front-end-config.ts";

/** Faults from before the DSN was known. */
let early: unknown[] = [];
const mostEarly = 20;

/** Reports a fault of the panel, if there is a DSN. Never throws. */
export function reportFault(error: unknown): void {
  const config = frontEndConfig();
  if (!config) {
    if (early.length < mostEarly) early.push(error);
    return;
  }
  const { errorReports } = config;
  if (!errorReports) return;
  import("./error-reports.ts").then(
    (reports) => reports.sendFault(errorReports, error),
    (cause: unknown) => console.warn("A fault could not be reported.", cause),
  );
}

/** Reports what no page caught. */
export function watchFaults(): void {
  window.addEventListener("error", (event) => reportFault(event.error));
  window.addEventListener("unhandledrejection", (event) => reportFault(event.reason));
  watchFrontEndConfig(() => {
    const faults = early;
    early = [];
    for (const fault of faults) reportFault(fault);
  });
}
