/**
 * Maps Paddle's errors to the port's. Paddle's library throws ApiError for refusals and fetch's errors for the rest. The time limit per
 * call is set by the caller (domain/billing/ask-provider.ts).
 */
import { ApiError } from "@paddle/paddle-node-sdk";
import { budgetLeftMs } from "#platform/loops/time-budget.ts";
import { PaymentDeclined, ProviderRefusal, ProviderUnreachable, RenewalUnderWay } from "../payment-provider.ts";

const declinedCodes: ReadonlySet<string> = new Set(["subscription_payment_declined", "transaction_payment_declined", "payment_declined"]);
/** From developer.paddle.com/errors/subscriptions, read 2026-11-22: the lock in the half hour before a renewal, and during it. */
const lockedCodes: ReadonlySet<string> = new Set(["subscription_locked_renewal", "subscription_locked_processing"]);

/** Makes a call and translates its failures into the port's errors. */
export async function asked<Result>(call: () => Promise<Result>): Promise<Result> {
  if (budgetLeftMs() <= 0) throw new ProviderUnreachable("Paddle was not asked: no time was left");
  try {
    return await call();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  if (error instanceof ApiError) {
    if (declinedCodes.has(error.code)) return new PaymentDeclined("The payment was declined.");
    if (lockedCodes.has(error.code)) return new RenewalUnderWay(`Paddle accepts no changes now: ${error.detail}`, { cause: error });
    if (error.type === "api_error" || error.code === "too_many_requests") {
      const unanswered = new ProviderUnreachable(`Paddle could not answer: ${error.detail}`, { cause: error });
      // Seconds. Paddle allows 240 calls a minute from an address, and says how long it refuses more.
      const waitsSeconds = Number(error.retryAfter ?? Number.NaN);
      return waitsSeconds > 0 ? Object.assign(unanswered, { retryAfterMs: waitsSeconds * 1000 }) : unanswered;
    }
    return new ProviderRefusal(`Paddle refused: ${error.detail} (${error.code})`, { cause: error });
  }
  // fetch throws TypeError when there is no answer; JSON throws SyntaxError when the answer is not Paddle's.
  if (error instanceof TypeError || error instanceof SyntaxError)
    return new ProviderUnreachable(`Paddle can't be reached: ${error.message}`, { cause: error });
  return error;
}

/** Whether Paddle refused with one of these codes. */
export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ProviderRefusal && error.cause instanceof ApiError && codes.includes(error.cause.code);

/** Returns null for Paddle's "not found". */
export async function orNull<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await asked(call);
  } catch (error) {
    if (isCode(error, "not_found", "entity_not_found")) return null;
    throw error;
  }
}

/** Collects all pages of a list. */
export async function allOf<Thing>(collection: AsyncIterable<Thing>): Promise<Thing[]> {
  const all: Thing[] = [];
  for await (const each of collection) all.push(each);
  return all;
}
