import { noReporter, sentryReporter, type ErrorReporter } from "#platform/error-reports.ts";
import { createLog } from "#platform/log.ts";
import type { Config } from "../settings/config.ts";

/** Reports errors to Sentry if the settings have a DSN. Its own failures go to a separate log, which reports nothing. */
export function createErrorReporter({
  sentryDsn,
  sentryEnvironment,
  logLevel,
}: Pick<Config, "sentryDsn" | "sentryEnvironment" | "logLevel">): ErrorReporter {
  if (!sentryDsn) return noReporter;
  const log = createLog(logLevel);
  return sentryReporter(sentryDsn, {
    environment: sentryEnvironment,
    note: (cause) => log.warn({ err: cause }, "an error could not be reported"),
  });
}
