/** What Paddle's errors mean to the port. Its library throws ApiError for what Paddle refused, and fetch's own errors for the rest; the time limit of a call is set where the provider is used (domain/billing/ask-provider.ts). */
import { ApiError } from "@paddle/paddle-node-sdk";
import { PaymentDeclined, ProviderRefusal, ProviderUnreachable, RenewalUnderWay } from "../payment-provider.ts";

const declinedCodes: ReadonlySet<string> = new Set(["subscription_payment_declined", "transaction_payment_declined", "payment_declined"]);
/** developer.paddle.com/errors/subscriptions, read 2026-11-22: the half hour before a renewal, and its minutes. */
const lockedCodes: ReadonlySet<string> = new Set(["subscription_locked_renewal", "subscription_locked_processing"]);

/** Does a call and says its failures in the words of the port. */
export async function asked<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  if (error instanceof ApiError) {
    if (declinedCodes.has(error.code)) return new PaymentDeclined("The payment was declined.");
    if (lockedCodes.has(error.code)) return new RenewalUnderWay(`Paddle takes no change now: ${error.detail}`, { cause: error });
    if (error.type === "api_error" || error.code === "too_many_requests")
      return new ProviderUnreachable(`Paddle could not answer: ${error.detail}`, { cause: error });
    return new ProviderRefusal(`Paddle refused: ${error.detail} (${error.code})`, { cause: error });
  }
  // What fetch throws when nobody answers, and what JSON throws when somebody else does.
  if (error instanceof TypeError || error instanceof SyntaxError)
    return new ProviderUnreachable(`Paddle can't be reached: ${error.message}`, { cause: error });
  return error;
}

/** Whether Paddle refused for this reason. */
export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ProviderRefusal && error.cause instanceof ApiError && codes.includes(error.cause.code);

/** Null instead of Paddle's "not found". */
export async function orNull<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await asked(call);
  } catch (error) {
    if (isCode(error, "not_found", "entity_not_found")) return null;
    throw error;
  }
}

/** All of a list, page by page. */
export async function allOf<Thing>(collection: AsyncIterable<Thing>): Promise<Thing[]> {
  const all: Thing[] = [];
  for await (const each of collection) all.push(each);
  return all;
}
