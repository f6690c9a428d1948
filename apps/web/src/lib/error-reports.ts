/**
 * The port for faults of the panel. Without a DSN nothing is loaded and nothing leaves; with one, Sentry's client is fetched
 * at the first fault, so that nobody pays for it who meets none.
 */
import { ApiError } from "./api-error.ts";
import { isChunkError } from "./chunk-reload.ts";
import { frontEndConfig } from "./front-end-config.ts";

type Send = (error: unknown) => void;

let sender: Promise<Send> | undefined;
const seen = new WeakSet<object>();
/** A fault in a loop must not become a flood. */
const mostReports = 20;
let reports = 0;

/** Refusals of the API are no faults of the panel; a chunk of an older release is told by reloading. */
export const isWorthReporting = (error: unknown): boolean =>
  !(error instanceof ApiError) && !isChunkError(error) && !(error instanceof DOMException && error.name === "AbortError") && !(error instanceof Response);

/** Reports a fault, once each. Never throws. */
export async function reportFault(error: unknown): Promise<void> {
  const dsn = frontEndConfig()?.errorReports?.dsn;
  if (!dsn || !isWorthReporting(error) || reports >= mostReports) return;
  if (typeof error === "object" && error !== null) {
    if (seen.has(error)) return;
    seen.add(error);
  }
  reports += 1;
  try {
    sender ??= import("./sentry-sender.ts").then(({ createSentrySender }) => createSentrySender(dsn));
    (await sender)(error);
  } catch (cause) {
    console.warn("A fault could not be reported.", cause);
  }
}

/** Reports what no page caught. */
export function watchFaults(): void {
  window.addEventListener("error", (event) => void reportFault(event.error));
  window.addEventListener("unhandledrejection", (event) => void reportFault(event.reason));
}
