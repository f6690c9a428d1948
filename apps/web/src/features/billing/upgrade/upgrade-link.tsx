import { useEffect } from "react";
import { Link } from "react-router";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import type { User } from "#contract/accounts/account.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { whenIdle } from "../../../lib/first-view/when-idle.ts";
import { buttonClass, type ButtonTone } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { t } from "./words.ts";
import { upgradeButton, type UpgradeButton } from "./upgrade-button.ts";

/** The upgrade button for this user and their workspace. */
export function upgradeFor({ account: { billing, instance } }: User, plan: PlanSpec | null): UpgradeButton {
  const hasActiveWorkspace = instance !== null && instance.status !== instanceStatus.stopped;
  return upgradeButton({ planGroup: plan?.metadata.group ?? null, billingStatus: billing?.status ?? null, hasActiveWorkspace });
}

interface UpgradeLinkProps {
  user: User;
  plan: PlanSpec | null;
  tone?: ButtonTone;
  className?: string;
}

/** Links to the plans, or first to billing if a payment is open; the page is prefetched. */
export function UpgradeLink({ user, plan, tone = "primary", className }: UpgradeLinkProps) {
  const { text, to, error } = upgradeFor(user, plan);
  useEffect(
    () =>
      whenIdle(() =>
        error
          ? import("../../../pages/manage-billing/billing-page.tsx")
          : import("../../../pages/account-change-plan/change-plan-page.tsx"),
      ),
    [error],
  );
  return (
    <Link
      to={to}
      onClick={() => error && notify("danger", t(`upgrade.${error}`))}
      className={buttonClass(tone, classNames("whitespace-nowrap", className))}
    >
      {t(`upgrade.${text}`)}
    </Link>
  );
}
