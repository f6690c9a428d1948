import type { SubscriptionRow } from "./subscription-states.ts";

/** Paying and trial accounts may have a workspace; after a cancellation, until the paid period ends. */
export function allowsWorkspace(subscription: SubscriptionRow | null, now: Date): subscription is SubscriptionRow {
  if (!subscription) return false;
  const { status, periodEndsAt, cancelAt } = subscription;
  if (status === "active" || status === "past_due") return true;
  const endsAt = status === "trialing" ? periodEndsAt : status === "deleted" ? cancelAt : null;
  return endsAt !== null && endsAt > now;
}
