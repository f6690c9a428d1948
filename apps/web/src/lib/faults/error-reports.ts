/** The port for reporting faults of the panel. report-fault.ts fetches it at the first fault, so visitors without one never load it. */
import { ApiError } from "../api/api-error.ts";
import { isChunkError } from "./chunk-reload.ts";

/** Where faults are reported, and for which user. */
export interface ReportPlace {
  dsn: string;
  environment: string;
}

type Send = (error: unknown) => void;

let sender: Promise<Send> | undefined;
const seen = new WeakSet<object>();
/** A fault in a loop must not become a flood. */
const mostReports = 20;
let reports = 0;

/** Refusals of the API are not faults of the panel; a missing chunk of an older release is solved by reloading. */
export const isWorthReporting = (error: unknown): boolean =>
  !(error instanceof ApiError) &&
  !isChunkError(error) &&
  !(error instanceof DOMException && error.name === "AbortError") &&
  !(error instanceof Response);

/** Reports a fault, once each. Never rejects. */
export async function sendFault(place: ReportPlace, error: unknown): Promise<void> {
  if (!isWorthReporting(error) || reports >= mostReports) return;
  if (typeof error === "object" && error !== null) {
    if (seen.has(error)) return;
    seen.add(error);
  }
  reports += 1;
  try {
    sender ??= import("./sentry-sender.ts").then(({ createSentrySender }) => createSentrySender(place));
    (await sender)(error);
  } catch (cause) {
    console.warn("A fault could not be reported.", cause);
  }
}
