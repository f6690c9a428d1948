/** The door to error reports: light, because every page carries it. What is behind it is fetched at the first fault, with a DSN only. */
import { frontEndConfig } from "./front-end-config.ts";

/** Reports a fault of the panel, if there is anybody to tell. Never throws. */
export function reportFault(error: unknown): void {
  const dsn = frontEndConfig()?.errorReports?.dsn;
  if (!dsn) return;
  import("./error-reports.ts").then(
    (reports) => reports.sendFault(dsn, error),
    (cause: unknown) => console.warn("A fault could not be reported.", cause),
  );
}

/** Reports what no page caught. */
export function watchFaults(): void {
  window.addEventListener("error", (event) => reportFault(event.error));
  window.addEventListener("unhandledrejection", (event) => reportFault(event.reason));
}
