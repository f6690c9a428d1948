/** The label and target of the upgrade button. It is shown only if its target page is available: nowhere, until plans can be changed. */
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { paths } from "../../../lib/paths.ts";
import type { BillingStatus } from "../../banner/current-banner.ts";

export interface UpgradeFacts {
  planGroup: PlanSpec["metadata"]["group"] | null;
  billingStatus: BillingStatus | null;
  /** Whether there is a workspace that is not stopped. */
  hasActiveWorkspace: boolean;
}

export interface UpgradeButton {
  text: "upgradePlan" | "resubscribe" | "changeInstanceSize";
  to: typeof paths.changePlan | typeof paths.billing;
  /** Shown as an error on the way: billing problems have to be solved before a plan can change. */
  error: "updateBillingFirst" | null;
}

/** The button for an account in this state. */
export function upgradeButton({ planGroup, billingStatus, hasActiveWorkspace }: UpgradeFacts): UpgradeButton {
  const mustPayFirst = billingStatus === "past_due" || billingStatus === "paused";
  return {
    text: buttonText(planGroup, billingStatus, hasActiveWorkspace),
    to: mustPayFirst ? paths.billing : paths.changePlan,
    error: mustPayFirst ? "updateBillingFirst" : null,
  };
}

/**
 * The plan group `trial` is the opt-in trial. A deleted subscription takes precedence over a missing workspace: its end has stopped the
 * workspace, so "Resubscribe" would otherwise never be shown.
 */
function buttonText(
  planGroup: UpgradeFacts["planGroup"],
  billingStatus: BillingStatus | null,
  hasActiveWorkspace: boolean,
): UpgradeButton["text"] {
  if (planGroup === "trial") return "upgradePlan";
  if (billingStatus === "deleted") return "resubscribe";
  return hasActiveWorkspace ? "changeInstanceSize" : "upgradePlan";
}
