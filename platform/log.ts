/** Structured logs on standard output, with what could be a secret removed by name. */
import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { noReporter, type ErrorReporter } from "./error-reports.ts";

export type Log = Logger;

/** Names under which a secret could reach a log line; pino removes the value, not the line. */
const secretPaths = [
  "password", "*.password", "token", "*.token", "secret", "*.secret", "authorization", "*.authorization",
  "req.headers.cookie", "req.headers.authorization", "headers.cookie", "headers.authorization",
];

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** pino's number for errors; fatal is above. */
const errorLevel = 50;

/** A logger writing one JSON object a line, to standard output unless told. `reporter` hears of everything logged as an error, whatever level is written. */
export function createLog(level: LogLevel, reporter: ErrorReporter = noReporter, destination?: DestinationStream): Log {
  const written = pino.levels.values[level] ?? Infinity;
  const options: LoggerOptions = {
    // pino does not call its hook for what is below its level.
    level: reporter !== noReporter && written > errorLevel ? "error" : level,
    redact: { paths: secretPaths, censor: "[secret]" },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      logMethod(args, write, at) {
        if (at >= errorLevel) report(reporter, args);
        if (at >= written) write.apply(this, args);
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

function report(reporter: ErrorReporter, [first, message]: unknown[]): void {
  const { err, ...context } = (typeof first === "object" && first !== null ? first : {}) as { err?: unknown };
  const text = typeof first === "string" ? first : typeof message === "string" ? message : "an error without words";
  reporter.report(first instanceof Error ? first : err, text, context);
}
