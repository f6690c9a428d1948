/**
 * What the upgrade button says and where it leads. It is shown only where the page it leads to
 * is there; until plans can be changed, that is nowhere.
 */
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
  /** Shown as an error on the way: billing has to be put right before a plan can change. */
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
 * The plan group `trial` is the opt-in trial. A deleted subscription is told before a missing workspace: what
 * ended has stopped its workspace, so that "Resubscribe" would never be seen otherwise.
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
