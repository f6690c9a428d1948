/** The door to error reports: light, because every page carries it. What is behind it is fetched at the first fault, with a DSN only. */
import { frontEndConfig, watchFrontEndConfig } from "../front-end-config.ts";

/** Faults from before it was known whom to tell. */
let early: unknown[] = [];
const mostEarly = 20;

/** Reports a fault of the panel, if there is anybody to tell. Never throws. */
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
