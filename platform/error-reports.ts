/**
 * Reports errors of the service: whatever is logged as an error is also reported, so callers need not do it.
 * Sends Sentry envelopes with forty lines of code: the official client takes 27 MB and wraps what it finds.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { scrub, scrubText } from "#contract/api/scrub.ts";
import { problems } from "#contract/api/problem.ts";
import { AppError } from "./app-error.ts";
import { secondMs } from "./clock.ts";

export interface ErrorReporter {
  /** Takes a logged error. Never throws and never waits. */
  report(error: unknown, message: string, context: object): void;
  /** Resolves when no report is being sent, at the latest after some seconds. */
  flush(): Promise<void>;
}

/** Without a DSN nothing is kept and nothing is sent. */
export const noReporter: ErrorReporter = { report: () => undefined, flush: () => Promise.resolve() };

const sendWithinMs = 5 * secondMs;
/** An error in a loop must neither become a flood nor fill the memory. */
const mostAtOnce = 10;
const mostPerMinute = 60;

/** Reports to the project of a Sentry DSN (`https://key@host/project`). `note` is called when a report could not be sent. */
export function sentryReporter(dsn: string, { environment, note }: { environment: string; note: (cause: unknown) => void }): ErrorReporter {
  const { username: key, host, protocol, pathname } = new URL(dsn);
  const at = pathname.lastIndexOf("/");
  const url = `${protocol}//${host}${pathname.slice(0, at)}/api/${pathname.slice(at + 1)}/envelope/`;
  const headers = {
    "content-type": "application/x-sentry-envelope",
    "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${key}, sentry_client=slipway/1`,
  };
  const sending = new Set<Promise<void>>();
  let minute = 0;
  let sentInMinute = 0;

  const isTooMany = () => {
    const now = Math.floor(performance.now() / (60 * secondMs));
    if (now !== minute) [minute, sentInMinute] = [now, 0];
    return sending.size >= mostAtOnce || (sentInMinute += 1) > mostPerMinute;
  };

  const send = async (event: { event_id: string }) => {
    const envelope = [{ event_id: event.event_id, sent_at: new Date().toISOString(), dsn }, { type: "event" }, event]
      .map((line) => JSON.stringify(line))
      .join("\n");
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: envelope,
      signal: AbortSignal.timeout(sendWithinMs),
      redirect: "error",
    });
    if (!answer.ok) throw new Error(`the error-reporting service answered ${answer.status}`);
  };

  return {
    report(error, message, context) {
      if (isExpected(error) || isTooMany()) return;
      const sent = send(describe(error, message, context, environment))
        .catch(note)
        .finally(() => sending.delete(sent));
      sending.add(sent);
    },
    flush: async () => void (await Promise.all(sending)),
  };
}

/** A refusal is a normal answer; only unexpected errors are reported. */
const isExpected = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "unavailable" || problems[error.code].status < 500);

function describe(error: unknown, message: string, context: object, environment: string) {
  return {
    event_id: randomBytes(16).toString("hex"),
    timestamp: Date.now() / 1000,
    platform: "node",
    level: "error",
    environment,
    server_name: hostname(),
    logger: "slipway",
    message: scrubText(message),
    extra: scrub(context),
    // Sentry shows the last one as the error and those before it as its causes.
    exception: { values: chain(error).reverse() },
  };
}

function chain(error: unknown, depth = 0): object[] {
  if (depth >= 5 || error === undefined || error === null) return [];
  if (!(error instanceof Error))
    return [{ type: typeof error, value: scrubText(typeof error === "string" ? error : JSON.stringify(scrub(error))) }];
  return [
    { type: error.name, value: scrubText(error.message), stacktrace: { frames: frames(error.stack ?? "") } },
    ...chain(error.cause, depth + 1),
  ];
}

/** V8's stack, outermost call first as Sentry requires. */
function frames(stack: string): object[] {
  const found = stack.split("\n").map((line) => /^\s+at (?:(.+?) \()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/.exec(line));
  return found
    .filter((match) => match !== null)
    .map(([, name, filename, line, column]) => ({
      function: name ?? "?",
      filename,
      lineno: Number(line),
      colno: Number(column),
      in_app: !/node_modules|^node:/.test(filename ?? ""),
    }))
    .reverse();
}
