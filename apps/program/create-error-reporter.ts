import { noReporter, sentryReporter, type ErrorReporter } from "#platform/error-reports.ts";
import { createLog } from "#platform/log.ts";
import type { Config } from "../config.ts";

/** Reports faults where the settings name a place for it. Its own trouble goes to a log that reports nothing. */
export function createErrorReporter({ sentryDsn, production, logLevel }: Pick<Config, "sentryDsn" | "production" | "logLevel">): ErrorReporter {
  if (!sentryDsn) return noReporter;
  const log = createLog(logLevel);
  return sentryReporter(sentryDsn, {
    environment: production ? "production" : "development",
    note: (cause) => log.warn({ err: cause }, "a fault could not be reported"),
  });
}
