/** Calls to the payment provider, with a time limit and with its refusals as API errors. */
import { AppError } from "#platform/app-error.ts";
import { secondMs } from "#platform/clock.ts";
import { TookTooLong, within } from "#platform/loops/within.ts";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  ProviderUnreachable,
  QuoteStale,
  RenewalUnderWay,
  type PaymentProvider,
} from "#payments/payment-provider.ts";

/** How long a customer waits before a page seems broken. For reads only: a call that gets no answer in time may still be carried out. */
export const pageLimitMs = 8 * secondMs;

/** Calls the provider. Refusals, and silence beyond `limitMs` if given, become AppErrors whose message says what was not done. */
export async function askProvider<T>(ask: () => Promise<T>, limitMs?: number): Promise<T> {
  try {
    return await (limitMs === undefined ? ask() : limited(ask(), "the provider", limitMs));
  } catch (error) {
    throw asAppError(error, limitMs !== undefined);
  }
}

function asAppError(error: unknown, isRead: boolean): unknown {
  if (error instanceof PaymentDeclined)
    return new AppError("payment_declined", { ...(error.message ? { detail: error.message } : {}), cause: error });
  if (error instanceof PaymentActionRequired)
    return new AppError("payment_action_required", { ...(error.url ? { detail: error.url } : {}), cause: error });
  if (error instanceof QuoteStale) return new AppError("preview_stale", { cause: error });
  // A read changes nothing that a renewal could prevent: for a page the provider is unavailable.
  if (error instanceof RenewalUnderWay && !isRead) return new AppError("renewal_under_way", { internal: error.message, cause: error });
  if (error instanceof ProviderUnreachable || error instanceof ProviderRefusal)
    return new AppError("payments_unavailable", { internal: error.message, cause: error });
  return error;
}

/** Makes a call to another service, whose answer may not come: with a time limit, or outside of a slot. */
export type Calling = <T>(call: () => Promise<T>, name: string) => Promise<T>;

/** The provider, each of whose calls `calling` makes. */
export function calledBy(provider: PaymentProvider, calling: Calling): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // A webhook's signature is checked locally.
      if (typeof member !== "function" || name === "readWebhook") return member;
      return (...asked: unknown[]) => calling(() => Reflect.apply(member, target, asked) as Promise<unknown>, String(name));
    },
  });
}

/**
 * The provider with a time limit on every call: after `limitMs` it throws ProviderUnreachable. The call may still be carried out, as with
 * any lost answer, and is repeated with the same key.
 */
export const withinTime = (provider: PaymentProvider, limitMs: number): PaymentProvider =>
  calledBy(provider, (call, name) => limited(call(), name, limitMs));

async function limited<Answer>(answer: Promise<Answer>, name: string, limitMs: number): Promise<Answer> {
  try {
    return await within(limitMs, name, answer);
  } catch (error) {
    throw error instanceof TookTooLong ? new ProviderUnreachable(`${name} was not answered within ${limitMs} ms`, { cause: error }) : error;
  }
}
