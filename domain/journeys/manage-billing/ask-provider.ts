/** A page does not wait for a provider that does not answer. */
import { ProviderRefusal, ProviderUnreachable } from "#payments/payment-provider.ts";
import { limited } from "#domain/billing/within-time.ts";
import { AppError } from "#platform/app-error.ts";
import { secondMs } from "#platform/clock.ts";

/** The provider's answer; throws ProviderUnreachable when it takes longer than `limitMs`. What was asked goes on, unheard: only for questions. */
export const askWithin = <Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> => limited(answer, "the provider", limitMs);

/** As long as a person waits for a page before they think it broken. */
const pageLimitMs = 8 * secondMs;

/** The same for what cannot be shown without the provider: refuses (AppError) `payments_unavailable`. */
export async function askProvider<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await askWithin(pageLimitMs, answer);
  } catch (error) {
    if (error instanceof ProviderUnreachable || error instanceof ProviderRefusal)
      throw new AppError("payments_unavailable", { cause: error, internal: error.message });
    throw error;
  }
}
