/**
 * Asks VIES, the European Commission's register of VAT ids, whether one exists: what makes a sale without VAT to a business of
 * another country defensible (articles 138 and 196 of the VAT directive). It is away often, and a country's part of it more often
 * still: silence is no answer, and nobody waits for it for long.
 */
import { z } from "zod";
import { euCountries } from "#contract/billing/vat-id.ts";
import { boundedBody } from "#platform/http/bounded-chunks.ts";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";

export interface VatAnswer {
  valid: boolean;
  checkedAt: Date;
  /** The number under which VIES keeps the answer, where the seller's own id was given with the question; empty otherwise. */
  reference: string;
}

export interface VatRegister {
  /** Null: it does not know ids of this country, or did not answer in time. Never throws. */
  ask(vatId: string): Promise<VatAnswer | null>;
}

export interface ViesOptions {
  /** Without a slash at its end: https://ec.europa.eu/taxation_customs/vies/rest-api */
  url: string;
  /** The seller's own VAT id; empty: it has none. */
  requester: string;
  clock: Clock;
  log: Log;
}

/** Somebody who saves their details waits for it. */
const answerWithinMs = 3 * secondMs;
const mostAnswerBytes = 64 * 1024;
/** After a failure it is not asked for so long: a country's register that is away for that country's ids alone. */
const restMs = minuteMs;
const everywhere = "";
const mostAtOnce = 8;

/** VIES calls Greece EL, and has Northern Ireland's ids as XI. */
const members = new Set([...[...euCountries].filter((country) => country !== "GR"), "EL", "XI"]);
const isAskable = (vatId: string): boolean => members.has(vatId.slice(0, 2));

/** VIES is there, and has no answer for this id. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** What it says when a country's register is away is no answer: `errorWrappers`, and no `valid`. */
const answer = z.object({
  valid: z.boolean(),
  actionSucceed: z.literal(true).optional(),
  requestIdentifier: z.string().max(100).nullish(),
});

const failure = z.object({ actionSucceed: z.literal(false) });

export function viesRegister({ url, requester, clock, log }: ViesOptions): VatRegister {
  let asking = 0;
  const restsUntil = new Map<string, Date>();
  const rests = (where: string): boolean => {
    const until = restsUntil.get(where);
    // A clock that was set back must not make a pause of a minute last for a day.
    return until !== undefined && until > clock.now() && until <= after(clock.now(), restMs);
  };
  return {
    async ask(vatId) {
      const country = vatId.slice(0, 2);
      if (!isAskable(vatId) || rests(everywhere) || rests(country) || asking >= mostAtOnce) return null;
      asking += 1;
      try {
        const { valid, requestIdentifier } = await askVies(url, vatId, requester);
        return { valid, checkedAt: clock.now(), reference: requestIdentifier ?? "" };
      } catch (error) {
        // Who types ids that it has no answer for silences nobody else's.
        restsUntil.set(error instanceof NoAnswer ? country : everywhere, after(clock.now(), restMs));
        // The error's own words could hold the id.
        log.warn({ reason: (error as Error).name }, "VIES did not answer; VAT ids are checked again with the next invoice");
        return null;
      } finally {
        asking -= 1;
      }
    },
  };
}

async function askVies(url: string, vatId: string, requester: string): Promise<z.infer<typeof answer>> {
  const over = new AbortController();
  try {
    const from = isAskable(requester) ? { requesterMemberStateCode: requester.slice(0, 2), requesterNumber: requester.slice(2) } : {};
    const response = await fetch(`${url}/check-vat-number`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "user-agent": "slipway" },
      body: JSON.stringify({ countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2), ...from }),
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(answerWithinMs)]),
      redirect: "error",
    });
    if (response.status !== 200) throw new Error(`it answers ${response.status}`);
    const body = await boundedBody(response.body, mostAnswerBytes, () => new Error("it answers too much"));
    const said: unknown = JSON.parse(body.toString("utf8"));
    if (failure.safeParse(said).success) throw new NoAnswer("a country's register is away");
    return answer.parse(said);
  } finally {
    // What was not read of an answer is not waited for.
    over.abort();
  }
}
