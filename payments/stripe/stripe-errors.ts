/** Maps Stripe's errors to the port's. */
import Stripe from "stripe";
import { budgetLeftMs } from "#platform/loops/time-budget.ts";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderLate,
  ProviderRefusal,
  ProviderUnreachable,
  SignatureInvalid,
  VatIdRefused,
} from "../payment-provider.ts";

const needsConfirmation: ReadonlySet<string> = new Set([
  "authentication_required",
  "subscription_payment_intent_requires_action",
  "invoice_payment_intent_requires_action",
]);

/** Makes a call and translates its failures into the port's errors. `confirmUrl` finds the page where a customer confirms a payment. */
export async function asked<Result>(
  call: () => Promise<Result>,
  confirmUrl: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<Result> {
  if (budgetLeftMs() <= 0) throw new ProviderUnreachable("Stripe was not asked: no time was left");
  try {
    return await call();
  } catch (error) {
    throw await translate(error, confirmUrl);
  }
}

async function translate(error: unknown, confirmUrl: () => Promise<string | null>): Promise<unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { code, decline_code: declineCode } = error;
  if (needsConfirmation.has(code ?? "") || needsConfirmation.has(declineCode ?? "")) {
    return new PaymentActionRequired("Your bank asks you to confirm this payment.", await confirmUrl().catch(() => null));
  }
  // Stripe writes these messages for customers.
  if (error instanceof Stripe.errors.StripeCardError) return new PaymentDeclined(error.message);
  if (error instanceof Stripe.errors.StripeConnectionError && isTimeUp(error.detail))
    return new ProviderLate(`Stripe did not answer in time: ${error.message}`, { cause: error });
  // 409: another call holds the object or the key; 429: too many calls. Both were rejected before anything was done.
  if (
    error.statusCode === 409 ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError
  ) {
    return new ProviderUnreachable(`Stripe did not answer: ${error.message}`, { cause: error });
  }
  if (error instanceof Stripe.errors.StripeSignatureVerificationError) return new SignatureInvalid(error.message);
  if (code === "tax_id_invalid") return new VatIdRefused(`Stripe refused: ${error.message}`, { cause: error });
  return new ProviderRefusal(`Stripe refused: ${error.message}${code ? ` (${code})` : ""}`, { cause: error });
}

/** The code of the library's own time limit. */
const isTimeUp = (detail: unknown): boolean => (detail as { code?: string } | undefined)?.code === "ETIMEDOUT";

/** Returns null for Stripe's "no such thing". */
export async function orNull<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await asked(call);
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    if (error instanceof ProviderRefusal && cause?.code === "resource_missing") return null;
    throw error;
  }
}
