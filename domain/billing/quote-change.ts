/** What a change of plan costs, and what it takes away, before anybody agrees to it. */
import type { ChangePreview } from "#contract/billing.ts";
import type { Billing, Choice } from "./billing.ts";

export type Timing = "now" | "period-end";

/**
 * The contract's preview. Without `timing`: up now, down at the period's end. Refuses (AppError) plan_not_found,
 * plan_withdrawn, subscription_not_found, update_billing_first (past due or paused), validation_failed, payments_unavailable.
 */
export async function quoteChange(_billing: Billing, _accountId: string, _wanted: Choice & { timing?: Timing | undefined }): Promise<ChangePreview> {
  throw new Error("not there yet");
}
