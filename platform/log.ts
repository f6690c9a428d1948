/** Structured logs on standard output, with possible secrets removed by name. */
import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { noReporter, type ErrorReporter } from "./error-reports.ts";
import { workFields } from "./tracing/current-work.ts";

export type Log = Logger;

/** Field names that may contain a secret; pino removes the value, not the line. */
const secretPaths = [
  "password",
  "*.password",
  "token",
  "*.token",
  "secret",
  "*.secret",
  "authorization",
  "*.authorization",
  "req.headers.cookie",
  "req.headers.authorization",
  "headers.cookie",
  "headers.authorization",
];

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** pino's number for errors; fatal is above. */
const errorLevel = 50;

/**
 * A logger that writes one JSON object per line, by default to standard output, with the ids of the current work. `reporter` gets every
 * error, whatever the log level.
 */
export function createLog(level: LogLevel, reporter: ErrorReporter = noReporter, destination?: DestinationStream): Log {
  const written = pino.levels.values[level] ?? Infinity;
  const options: LoggerOptions = {
    // Below its level, pino does not call its hook.
    level: reporter !== noReporter && written > errorLevel ? "error" : level,
    redact: { paths: secretPaths, censor: "[secret]" },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin(_line, _level, logger) {
      const fields = workFields();
      // The logger of a request has these ids already.
      if (logger !== log) delete fields["requestId"];
      return fields;
    },
    hooks: {
      logMethod(args, write, at) {
        if (at >= errorLevel) report(reporter, { ...this.bindings(), ...workFields() }, args);
        if (at >= written) write.apply(this, args);
      },
    },
  };
  const log: Log = pino(options, destination ?? standardOutput());
  return log;
}

interface Tracked extends DestinationStream {
  written(): Promise<void>;
}

/**
 * Resolves once every line logged so far has left the process: pino writes asynchronously, and a killed process
 * loses lines that were not out. Rejects if the lines are not read within `withinMs`.
 */
export async function linesWritten(log: Log, withinMs: number): Promise<void> {
  const { written } = (log as unknown as Record<symbol, Partial<Tracked>>)[pino.symbols.streamSym] ?? {};
  if (!written) return;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`standard output has taken no line for ${withinMs} ms`)), withinMs);
  await Promise.race([written(), late.promise]).finally(() => clearTimeout(timer));
}

/** Standard output as pino opens it, with counts of the bytes given and written. */
function standardOutput(): Tracked {
  const output = pino.destination(1);
  const waiting: { upTo: number; resolve: () => void }[] = [];
  let given = 0;
  let out = 0;
  output.on("write", (bytes) => {
    out += bytes;
    while (waiting[0] && waiting[0].upTo <= out) waiting.shift()!.resolve();
  });
  return {
    write(line) {
      given += Buffer.byteLength(line);
      output.write(line);
    },
    written: () => (given <= out ? Promise.resolve() : new Promise((resolve) => waiting.push({ upTo: given, resolve }))),
  };
}

/** With the ids from the line's logger and its current work. */
function report(reporter: ErrorReporter, { pid: _pid, hostname: _hostname, ...ids }: pino.Bindings, [first, message]: unknown[]): void {
  const { err, ...context } = (typeof first === "object" && first !== null ? first : {}) as { err?: unknown };
  const text = typeof first === "string" ? first : typeof message === "string" ? message : "an error without words";
  reporter.report(first instanceof Error ? first : err, text, { ...ids, ...context });
}
