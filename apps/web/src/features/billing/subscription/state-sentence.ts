import type { Subscription } from "#contract/billing/billing.ts";
import { dayOf } from "../dates.ts";
import { t } from "../words.ts";

/** The state of the subscription, in one sentence. The notices below it say what can be done. */
export function stateSentence({
  status,
  planName: plan,
  cancelAt,
  deletionAt,
  periodEndsAt,
  isArranged,
  scheduledChange: next,
}: Subscription): string {
  if (status === "paused" && !deletionAt) return t("billing.state.pauseRequested", { plan });
  if (status !== "active") {
    const date = cancelAt ?? periodEndsAt;
    return status === "trialing" && date ? t("billing.state.trialUntil", { date: dayOf(date) }) : t(`billing.state.${status}`, { plan });
  }
  if (isArranged)
    return t(cancelAt ? "billing.state.arrangedUntil" : "billing.state.arranged", { plan, date: cancelAt ? dayOf(cancelAt) : "" });
  if (cancelAt) return t("billing.state.ending", { plan, date: dayOf(cancelAt) });
  if (next) return t("billing.state.changing", { plan, date: dayOf(next.at), next: next.planName });
  return periodEndsAt ? t("billing.state.renewing", { plan, date: dayOf(periodEndsAt) }) : t("billing.state.active", { plan });
}
