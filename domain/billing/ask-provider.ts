/** Calls to the payment provider, with a time limit and with its refusals as API errors. */
import type { ProblemCode } from "#contract/api/problem.ts";
import { AppError } from "#platform/app-error.ts";
import { hourMs, secondMs } from "#platform/clock.ts";
import { budgetLeftMs, withBudget } from "#platform/loops/time-budget.ts";
import { TookTooLong, within } from "#platform/loops/within.ts";
import { timeLimits } from "#platform/time-limits.ts";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderLate,
  ProviderRefusal,
  ProviderUnreachable,
  QuoteStale,
  RenewalUnderWay,
  type PaymentProvider,
} from "#payments/payment-provider.ts";

/** How long a customer waits before a page seems broken. For reads only: a call that gets no answer in time may still be carried out. */
export const pageLimitMs = timeLimits.providerReadMs;

/** A customer whose call had no answer in time looks again after this. */
const laterSeconds = 10;

/**
 * Calls the provider. Refusals, and silence beyond `limitMs` if given, become AppErrors whose message says what was not done. Without an
 * answer in time, a change may have been made: that is `still_in_progress`, unless `late` says otherwise because nothing was to change.
 */
export async function askProvider<T>(
  ask: () => Promise<T>,
  limitMs?: number,
  late: ProblemCode = limitMs === undefined ? "still_in_progress" : "payments_unavailable",
): Promise<T> {
  try {
    return await (limitMs === undefined ? ask() : limited(ask(), "the provider", limitMs));
  } catch (error) {
    if (error instanceof ProviderLate) throw new AppError(late, { internal: error.message, cause: error, retryAfterSeconds: laterSeconds });
    throw asAppError(error, limitMs !== undefined);
  }
}

const mostAskedMs = hourMs;
/** How long to wait before the next call, by the answer of a provider that limits its calls; 0 if it does not say. */
export const askedToWaitMs = (error: unknown): number =>
  error instanceof ProviderUnreachable ? Math.min(error.retryAfterMs ?? 0, mostAskedMs) : 0;

/** Whether the provider gave no answer: what it was asked for may have happened. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "payments_unavailable" || error.code === "still_in_progress");

function asAppError(error: unknown, isRead: boolean): unknown {
  if (error instanceof PaymentDeclined)
    return new AppError("payment_declined", { ...(error.message ? { detail: error.message } : {}), cause: error });
  if (error instanceof PaymentActionRequired)
    return new AppError("payment_action_required", { ...(error.url ? { detail: error.url } : {}), cause: error });
  if (error instanceof QuoteStale) return new AppError("preview_stale", { cause: error });
  // A read changes nothing that a renewal could prevent: for a page the provider is unavailable.
  if (error instanceof RenewalUnderWay && !isRead) return new AppError("renewal_under_way", { internal: error.message, cause: error });
  if (error instanceof ProviderUnreachable || error instanceof ProviderRefusal) {
    const waitMs = askedToWaitMs(error);
    const again = waitMs > 0 ? { retryAfterSeconds: Math.ceil(waitMs / secondMs) } : {};
    return new AppError("payments_unavailable", { internal: error.message, cause: error, ...again });
  }
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
 * The provider with a time limit on every call: after `limitMs`, or when the time of the caller's handler is used up, it throws
 * ProviderLate. The call may still be carried out, as with any lost answer, and is repeated with the same key. A call of several requests
 * begins no further one then; a call for which no time is left is not begun at all.
 */
export const withinTime = (provider: PaymentProvider, limitMs: number): PaymentProvider =>
  calledBy(provider, async (call, name) => {
    const leftMs = Math.min(limitMs, budgetLeftMs());
    if (leftMs <= 0) throw new ProviderUnreachable(`${name} was not asked: no time was left`);
    return limited(withBudget(leftMs, call), name, leftMs);
  });

async function limited<Answer>(answer: Promise<Answer>, name: string, limitMs: number): Promise<Answer> {
  try {
    return await within(limitMs, name, answer);
  } catch (error) {
    throw error instanceof TookTooLong ? new ProviderLate(`${name} was not answered within ${limitMs} ms`, { cause: error }) : error;
  }
}
