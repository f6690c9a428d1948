/**
 * Asks VIES, the European Commission's register, whether a VAT id exists. The answer supports a sale without VAT to a business in
 * another country (articles 138 and 196 of the VAT directive). VIES is often down, and single countries in it more often still,
 * so silence is not an answer, and waiting for it is kept short.
 */
import { z } from "zod";
import { euCountries } from "#contract/billing/vat-id.ts";
import { boundedBody } from "#platform/http/bounded-chunks.ts";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";

export interface VatAnswer {
  valid: boolean;
  checkedAt: Date;
  /** The number under which VIES stores the answer if the question included the seller's own id; otherwise empty. */
  reference: string;
}

export interface VatRegister {
  /** Null: VIES does not cover ids of this country, or did not answer in time. Never throws. */
  ask(vatId: string): Promise<VatAnswer | null>;
}

interface ViesOptions {
  /** Without a trailing slash: https://ec.europa.eu/taxation_customs/vies/rest-api */
  url: string;
  /** The seller's own VAT id; empty if it has none. */
  requester: string;
  clock: Clock;
  log: Log;
}

/** A customer who saves their details waits for the answer. */
const answerWithinMs = 3 * secondMs;
const mostAnswerBytes = 64 * 1024;
/** How long it is left alone after a failure; when only one country's register is down, only that country's ids are. */
const restMs = minuteMs;
const everywhere = "";
const mostAtOnce = 8;

/** VIES calls Greece EL, and lists Northern Ireland's ids under XI. */
const members = new Set([...[...euCountries].filter((country) => country !== "GR"), "EL", "XI"]);
const isAskable = (vatId: string): boolean => members.has(vatId.slice(0, 2));

/** VIES works but has no answer for this id. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** When a country's register is down, the response has `errorWrappers` and no `valid`, which is not an answer. */
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
    // If the clock was set back, a pause of one minute must not last a day.
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
        // Ids without an answer pause only their own country.
        restsUntil.set(error instanceof NoAnswer ? country : everywhere, after(clock.now(), restMs));
        // The error's message could contain the id.
        log.warn({ reason: (error as Error).name }, "VIES did not answer; VAT IDs will be checked again with the next invoice");
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
    if (response.status !== 200) throw new Error(`it answered with ${response.status}`);
    const body = await boundedBody(response.body, mostAnswerBytes, () => new Error("its answer is too long"));
    const said: unknown = JSON.parse(body.toString("utf8"));
    if (failure.safeParse(said).success) throw new NoAnswer("a country's register is away");
    return answer.parse(said);
  } finally {
    // Do not wait for the unread part of an answer.
    over.abort();
  }
}
