/** Structured logs on standard output, with what could be a secret removed by name. */
import { pino, type Logger } from "pino";

export type Log = Logger;

/** Names under which a secret could reach a log line; pino removes the value, not the line. */
const secretPaths = [
  "password", "*.password", "token", "*.token", "secret", "*.secret", "authorization", "*.authorization",
  "req.headers.cookie", "req.headers.authorization", "headers.cookie", "headers.authorization",
];

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** A logger writing one JSON object a line. */
export function createLog(level: LogLevel): Log {
  return pino({ level, redact: { paths: secretPaths, censor: "[secret]" }, timestamp: pino.stdTimeFunctions.isoTime });
}
