import type { User } from "#contract/accounts/account.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { classNames } from "../../../ui/class-names.ts";
import { t } from "./words.ts";
import { daysLeft } from "../../workspace/state/trial.ts";
import { usePlanMeta } from "./plan-meta.ts";
import { UpgradeLink, upgradeFor } from "./upgrade-link.tsx";

/** From this many days on, the end of the trial is near. */
const fewDays = 3;

/** The trial's remaining days and the upgrade button: in the header if there is room, otherwise as a strip below it. */
export function HeaderPlan({ user, isStrip = false }: { user: User; isStrip?: boolean }) {
  const plan = usePlanMeta(user, { tells: !isStrip });
  // Without a plan there is nothing to change yet, and nothing can be while the account is suspended.
  if (!plan || user.account.suspension || user.account.closing) return null;
  // On a narrow screen only what is urgent takes space.
  const isUrgent = upgradeFor(user, plan).text !== "changeInstanceSize";
  if (isStrip) {
    return isUrgent ? (
      <aside
        aria-label={t("upgrade.label")}
        className="flex items-center justify-between gap-3 border-b border-line bg-surface px-4 py-2 lg:hidden"
      >
        <TrialBadge plan={plan} />
        <UpgradeLink user={user} plan={plan} tone="plain" className="ml-auto min-h-9 py-1" />
      </aside>
    ) : null;
  }
  return (
    <div className="mr-1 flex items-center gap-3 max-lg:hidden">
      <TrialBadge plan={plan} />
      <UpgradeLink user={user} plan={plan} tone="plain" className="min-h-9 px-3 py-1" />
    </div>
  );
}

function TrialBadge({ plan }: { plan: PlanSpec }) {
  const days = daysLeft(plan.expirationDate, useNow(60_000));
  if (plan.metadata.group !== "trial" || days < 0) return null;
  return (
    <span
      className={classNames(
        "rounded-full px-2.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap",
        days <= fewDays ? "bg-warning-soft text-warning" : "bg-accent-soft text-accent-strong",
      )}
    >
      {days === 0 ? t("upgrade.trialOver") : t("upgrade.trialLeft", { count: days })}
    </span>
  );
}
