/** The port's refusals as those of the API. */
import { AppError } from "#platform/app-error.ts";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  ProviderUnreachable,
  QuoteStale,
  RenewalUnderWay,
} from "#payments/payment-provider.ts";

/** Runs calls to the provider; what it refuses becomes an AppError whose sentence says what was not done. */
export async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw asAppError(error);
  }
}

function asAppError(error: unknown): unknown {
  if (error instanceof PaymentDeclined)
    return new AppError("payment_declined", { ...(error.message ? { detail: error.message } : {}), cause: error });
  if (error instanceof PaymentActionRequired)
    return new AppError("payment_action_required", { ...(error.url ? { detail: error.url } : {}), cause: error });
  if (error instanceof QuoteStale) return new AppError("preview_stale", { cause: error });
  if (error instanceof RenewalUnderWay) return new AppError("renewal_under_way", { internal: error.message, cause: error });
  if (error instanceof ProviderUnreachable || error instanceof ProviderRefusal)
    return new AppError("payments_unavailable", { internal: error.message, cause: error });
  return error;
}
