/**
 * Asks the range service of Have I Been Pwned, or a copy of it: it is told five of the forty hex digits of a password's SHA-1 and answers
 * with every leaked password that begins like that, some thousand. Which of them was meant, and whether any, it never learns.
 */
import { createHash } from "node:crypto";
import { boundedBody } from "#platform/http/bounded-chunks.ts";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { BreachedPasswords } from "./breached-passwords.ts";

/** It answers in some 100 ms; a person who registers waits for it. */
const answerWithinMs = 2 * secondMs;
/** A padded answer has about a thousand lines of 40 bytes. */
const mostAnswerBytes = 256 * 1024;
/** After a failure nobody is asked for so long: a service that hangs would else hold up everybody who registers. */
const restMs = minuteMs;
/** More than there are passwords hashed at once; who comes in between is let through unasked. */
const mostAtOnce = 8;

const prefixLength = 5;
const answerLine = /^([0-9A-F]{35}):(\d{1,15})$/i;

/** What is wrong, in words of ours: an error's own could hold the address, and so the beginning of the hash. */
class Unanswered extends Error {}

export interface RangeService {
  /** Without a slash at its end, such as https://api.pwnedpasswords.com/range */
  url: string;
  clock: Clock;
  log: Log;
}

/** Lets every password pass while the service cannot be asked; a line in the log says so, once a minute. */
export function passwordRanges({ url, clock, log }: RangeService): BreachedPasswords {
  let asking = 0;
  let restsUntil = new Date(0);
  let silentUntil = new Date(0);
  // A clock that was set back must not make a pause of a minute last for a day.
  const isWithin = (until: Date) => until > clock.now() && until <= after(clock.now(), restMs);
  const warn = (reason: string) => {
    if (isWithin(silentUntil)) return;
    silentUntil = after(clock.now(), restMs);
    log.warn({ reason }, "passwords are not compared with known leaks at the moment");
  };
  return {
    async has(password) {
      if (isWithin(restsUntil)) return false;
      if (asking >= mostAtOnce) {
        warn("too many at once");
        return false;
      }
      asking += 1;
      try {
        const hash = createHash("sha1").update(password, "utf8").digest("hex").toUpperCase();
        return knows(await askRange(url, hash.slice(0, prefixLength)), hash.slice(prefixLength));
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

async function askRange(url: string, prefix: string): Promise<string> {
  const over = new AbortController();
  try {
    const answer = await fetch(`${url}/${prefix}`, {
      headers: { "add-padding": "true", "user-agent": "slipway" },
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(answerWithinMs)]),
      redirect: "manual",
    });
    if (answer.status !== 200) throw new Unanswered(`answers ${answer.status}`);
    const body = await boundedBody(answer.body, mostAnswerBytes, () => new Unanswered("answers too much"));
    return body.toString("latin1");
  } finally {
    // What was not read of an answer is not waited for.
    over.abort();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Unanswered) return error.message;
  return (error as Error).name === "TimeoutError" ? "does not answer in time" : "cannot be reached";
}
