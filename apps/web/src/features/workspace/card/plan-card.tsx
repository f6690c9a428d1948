import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import type { User } from "#contract/accounts/account.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { Card } from "../../../ui/card.tsx";
import { t } from "../words.ts";
import { dayOf } from "../../billing/dates.ts";
import { isInForce } from "../../billing/in-force.ts";
import { UpgradeLink } from "../../billing/upgrade/upgrade-link.tsx";
import { daysLeft, trialShare } from "../state/trial.ts";
import { number } from "../../../lib/formats.ts";

/** -1 is unlimited. */
const limitWords = (limit: number): string => (limit === -1 ? t("limits.unlimited") : number.format(limit));

/** When a plan renews, ends, or is first paid; null without billing, or while a payment is open. */
function nextDay(plan: PlanSpec, billing: User["account"]["billing"]): string | null {
  if (!billing || !isInForce(billing.status)) return null;
  if (billing.cancelAt) return t("workspace.planEnds", { date: dayOf(billing.cancelAt) });
  if (billing.isArranged || !plan.expirationDate) return null;
  return t(billing.status === "trialing" ? "workspace.planPaidFrom" : "workspace.planRenews", { date: dayOf(plan.expirationDate) });
}

/** The plan, the trial's remaining time, and the plan's limits. */
export function PlanCard({ plan }: { plan: PlanSpec }) {
  const nowMs = useNow(60_000);
  const user = useMaybeUser();
  const days = plan.metadata.group === "trial" ? daysLeft(plan.expirationDate, nowMs) : -1;
  const next = nextDay(plan, user?.account.billing ?? null);
  return (
    <Card label={t("workspace.plan")} className="p-5 sm:p-6">
      <p className="text-[0.8125rem] text-ink-soft">{t("workspace.plan")}</p>
      <h2 className="text-lg font-semibold">{plan.displayName}</h2>
      {next ? <p className="mt-0.5 text-sm text-ink-soft">{next}</p> : null}
      {days >= 0 ? (
        <div className="mt-3">
          <p className="text-sm font-medium">{days === 0 ? t("workspace.trialOver") : t("workspace.trialLeft", { count: days })}</p>
          <div className="mt-2 h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
            <div className="h-full rounded-full bg-accent" style={{ width: `${trialShare(days, plan.trialDays) * 100}%` }} />
          </div>
        </div>
      ) : null}
      <h3 className="mt-5 text-[0.8125rem] text-ink-soft">{t("limits.title")}</h3>
      <dl className="mt-1 divide-y divide-line text-sm">
        {[
          [t("limits.executions"), limitWords(plan.monthlyExecutionsLimit)],
          [t("limits.workflows"), limitWords(plan.activeWorkflowsLimit)],
        ].map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 py-2">
            <dt>{name}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {user ? <UpgradeLink user={user} plan={plan} tone="plain" className="mt-4 w-full" /> : null}
    </Card>
  );
}
