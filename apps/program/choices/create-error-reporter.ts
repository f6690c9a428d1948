import { noReporter, sentryReporter, type ErrorReporter } from "#platform/error-reports.ts";
import { createLog } from "#platform/log.ts";
import type { Config } from "../settings/config.ts";

/** Reports faults where the settings name a place for it. Its own trouble goes to a log that reports nothing. */
export function createErrorReporter({
  sentryDsn,
  sentryEnvironment,
  logLevel,
}: Pick<Config, "sentryDsn" | "sentryEnvironment" | "logLevel">): ErrorReporter {
  if (!sentryDsn) return noReporter;
  const log = createLog(logLevel);
  return sentryReporter(sentryDsn, {
    environment: sentryEnvironment,
    note: (cause) => log.warn({ err: cause }, "a fault could not be reported"),
  });
}
