import { TookTooLong, within } from "#platform/loops/within.ts";
import { ProviderUnreachable, type PaymentProvider } from "#payments/payment-provider.ts";

/**
 * The same provider, of which every call ends within `limitMs`: then ProviderUnreachable. What was asked may still happen, as with
 * any answer that is lost; whoever repeats the call does so with its key.
 */
export function withinTime(provider: PaymentProvider, limitMs: number): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // The signature of a webhook is checked here and asks nobody.
      if (typeof member !== "function" || name === "readWebhook") return member;
      return (...asked: unknown[]) => limited(Reflect.apply(member, target, asked) as Promise<unknown>, String(name), limitMs);
    },
  });
}

/** The answer; throws ProviderUnreachable where it takes longer than `limitMs`. What was asked goes on, unheard. */
export async function limited<Answer>(answer: Promise<Answer>, name: string, limitMs: number): Promise<Answer> {
  try {
    return await within(limitMs, name, answer);
  } catch (error) {
    throw error instanceof TookTooLong ? new ProviderUnreachable(`${name} was not answered within ${limitMs} ms`, { cause: error }) : error;
  }
}
