/** Changing the plan of a running subscription: what it would cost, and then doing it. */
import { z } from "zod";
import { user } from "../../accounts/account.ts";
import { billingCall, changePreview, planId, quotas } from "../billing.ts";
import { defineRoute } from "../../api/route.ts";

const change = z.object({ planId, timing: z.enum(["now", "period-end"]).optional() });
const customChange = z.object({ planId, quotas, timing: z.enum(["now", "period-end"]).optional() });
const changeProblems = [
  "plan_not_found",
  "plan_withdrawn",
  "subscription_not_found",
  "update_billing_first",
  "renewal_under_way",
  "payments_unavailable",
] as const;
const confirmProblems = [
  ...changeProblems,
  "password_needed",
  "preview_stale",
  "payment_declined",
  "payment_action_required",
  "idempotency_key_reused",
] as const;

export const previewChange = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/plan/change/preview",
  summary: "What a plan change costs now and at each renewal",
  body: change,
  success: { status: 200, body: z.object({ preview: changePreview }) },
  problems: changeProblems,
});

export const changePlan = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/plan/change",
  summary: "Changes the plan as previewed: upgrades immediately, downgrades at the end of the period unless chosen otherwise",
  body: change.extend({ previewId: z.string() }),
  success: { status: 200, body: z.object({ user }) },
  problems: confirmProblems,
});

export const previewCustomChange = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/plan/change/custom/preview",
  summary: "What custom quotas cost",
  body: customChange,
  success: { status: 200, body: z.object({ preview: changePreview }) },
  problems: changeProblems,
});

export const changeCustomPlan = defineRoute({
  ...billingCall,
  method: "PATCH",
  path: "/account/plan/change/custom",
  summary: "Changes to custom quotas, as previewed",
  body: customChange.extend({ previewId: z.string() }),
  success: { status: 200, body: z.object({ user }) },
  problems: confirmProblems,
});

/** A change scheduled for the period's end is withdrawn. */
export const cancelScheduledChange = defineRoute({
  ...billingCall,
  method: "DELETE",
  path: "/account/plan/change",
  summary: "Withdraws a plan change scheduled for the end of the period",
  success: { status: 200, body: z.object({ user }) },
  problems: ["subscription_not_found", "password_needed", "renewal_under_way", "payments_unavailable", "idempotency_key_reused"],
});
