/**
 * Checks passwords with the range service of Have I Been Pwned, or a copy of it. The service gets five of the forty hex digits of a
 * password's SHA-1 and returns all leaked hashes with that prefix, about a thousand. It never learns which one was meant, if any.
 */
import { createHash } from "node:crypto";
import { boundedBody } from "#platform/http/bounded-chunks.ts";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { BreachedPasswords } from "./breached-passwords.ts";

/** It usually answers in about 100 ms; a person who registers is waiting. */
const answerWithinMs = 2 * secondMs;
/** A padded response has about a thousand lines of 40 bytes. */
const mostAnswerBytes = 256 * 1024;
/** Pause after a failure, so that a hanging service does not delay every registration. */
const restMs = minuteMs;
/** More than the passwords hashed concurrently. Passwords beyond it pass unchecked. */
const mostAtOnce = 8;

const prefixLength = 5;
const answerLine = /^([0-9A-F]{35}):(\d{1,15})$/i;

/** A failure with our own message, because the original one could contain the URL and so the hash prefix. */
class Unanswered extends Error {}

interface RangeService {
  /** Without a trailing slash, such as https://api.pwnedpasswords.com/range */
  url: string;
  clock: Clock;
  log: Log;
  /** How long a check waits for an answer, in milliseconds. */
  withinMs?: number | undefined;
}

/** Lets every password pass while the service is unavailable, with a log line once a minute. */
export function passwordRanges({ url, clock, log, withinMs = answerWithinMs }: RangeService): BreachedPasswords {
  let asking = 0;
  let restsUntil = new Date(0);
  let silentUntil = new Date(0);
  // A clock that was set back must not extend the pause.
  const isWithin = (until: Date) => until > clock.now() && until <= after(clock.now(), restMs);
  const warn = (reason: string) => {
    if (isWithin(silentUntil)) return;
    silentUntil = after(clock.now(), restMs);
    log.warn({ reason }, "passwords are currently not checked against known leaks");
  };
  return {
    async has(password) {
      if (isWithin(restsUntil)) return false;
      if (asking >= mostAtOnce) {
        warn("too many concurrent checks");
        return false;
      }
      asking += 1;
      try {
        const hash = createHash("sha1").update(password, "utf8").digest("hex").toUpperCase();
        return knows(await askRange(url, hash.slice(0, prefixLength), withinMs), hash.slice(prefixLength));
      } catch (error) {
        restsUntil = after(clock.now(), restMs);
        warn(reasonOf(error));
        return false;
      } finally {
        asking -= 1;
      }
    },
  };
}

/** Lines whose count is zero are padding. */
function knows(answer: string, suffix: string): boolean {
  const lines = answer
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => answerLine.exec(line));
  if (lines.length === 0 || lines.includes(null)) throw new Unanswered("answers something else");
  return lines.some((line) => line?.[1]?.toUpperCase() === suffix && Number(line[2]) > 0);
}

async function askRange(url: string, prefix: string, withinMs: number): Promise<string> {
  const over = new AbortController();
  try {
    const answer = await fetch(`${url}/${prefix}`, {
      headers: { "add-padding": "true", "user-agent": "slipway" },
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(withinMs)]),
      redirect: "manual",
    });
    if (answer.status !== 200) throw new Unanswered(`answers ${answer.status}`);
    const body = await boundedBody(answer.body, mostAnswerBytes, () => new Unanswered("answers too much"));
    return body.toString("latin1");
  } finally {
    // Do not wait for the rest of the response.
    over.abort();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Unanswered) return error.message;
  return (error as Error).name === "TimeoutError" ? "does not answer in time" : "cannot be reached";
}
