/** What the account's plan allows (`GET /user/plan`), compared with the billed plan. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { User } from "#contract/accounts/account.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { cached } from "../../../lib/api/query-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { reportFault } from "../../../lib/faults/report-fault.ts";
import { t } from "./words.ts";

export const planMetaQuery = queryOptions({
  queryKey: ["plan-meta"],
  queryFn: async ({ signal }): Promise<PlanSpec | null> => {
    try {
      return await callApi("getUserPlan", { signal });
    } catch (error) {
      if (hasCode(error, "subscription_not_found")) return null;
      throw error;
    }
  },
  ...cached,
});

/** Whether the account is billed for a plan other than the one it has. Only logged: the service corrects it automatically. */
export const isMismatch = (billing: User["account"]["billing"], spec: PlanSpec | null | undefined): boolean =>
  Boolean(billing && spec && billing.status !== "deleted" && billing.planId !== spec.planId);

/** The plan's spec, as last loaded. The component with `tells` reports once that it could not be loaded, and logs a mismatch. */
export function usePlanMeta(user: User, { tells }: { tells: boolean }): PlanSpec | null {
  const { data, error } = useQuery({ ...planMetaQuery, enabled: user.account.isSetup });
  const { billing, planSpec } = user.account;
  useEffect(() => {
    if (!error || !tells) return;
    notify("warning", t("upgrade.metaFailed"));
    // A refused call is not an error in itself; a plan that cannot be parsed is.
    reportFault(new Error("the plan spec could not be loaded", { cause: error }));
  }, [error, tells]);
  useEffect(() => {
    if (tells && isMismatch(billing, planSpec))
      console.warn("The billed plan and the plan spec differ.", { billed: billing?.planId, spec: planSpec?.planId });
  }, [billing, planSpec, tells]);
  // The user is read more often than this, so the user's plan is the newer one.
  return planSpec ?? data ?? null;
}
