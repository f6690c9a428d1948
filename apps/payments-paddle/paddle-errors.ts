/** What Paddle's errors mean to the port. Its library throws ApiError for what Paddle refused, and fetch's own errors for the rest. */
import { ApiError } from "@paddle/paddle-node-sdk";
import { PaymentDeclined, ProviderRefusal, ProviderUnreachable } from "#domain/billing/payment-provider.ts";
import { secondMs } from "#platform/clock.ts";

/** Its library sets no limit of its own. */
const timeoutMs = 20 * secondMs;
const declinedCodes: ReadonlySet<string> = new Set(["subscription_payment_declined", "transaction_payment_declined", "payment_declined"]);

/** Does a call and says its failures in the words of the port. */
export async function asked<Result>(call: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnreachable(`Paddle did not answer within ${timeoutMs / secondMs} seconds.`)), timeoutMs);
  });
  try {
    return await Promise.race([call(), tooLate]);
  } catch (error) {
    throw translate(error);
  } finally {
    clearTimeout(timer);
  }
}

function translate(error: unknown): unknown {
  if (error instanceof ApiError) {
    if (declinedCodes.has(error.code)) return new PaymentDeclined("The payment was declined.");
    if (error.type === "api_error" || error.code === "too_many_requests") return new ProviderUnreachable(`Paddle could not answer: ${error.detail}`, { cause: error });
    return new ProviderRefusal(`Paddle refused: ${error.detail} (${error.code})`, { cause: error });
  }
  // What fetch throws when nobody answers, and what JSON throws when somebody else does.
  if (error instanceof TypeError || error instanceof SyntaxError) return new ProviderUnreachable(`Paddle can't be reached: ${error.message}`, { cause: error });
  return error;
}

/** Null instead of Paddle's "not found". */
export async function orNull<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await asked(call);
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    if (error instanceof ProviderRefusal && cause instanceof ApiError && (cause.code === "not_found" || cause.code === "entity_not_found")) return null;
    throw error;
  }
}
