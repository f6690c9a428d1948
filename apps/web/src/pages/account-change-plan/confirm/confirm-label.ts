import type { ChangePreview } from "#contract/billing/billing.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { formatCharge } from "../../../features/billing/format-price.ts";
import { t } from "../../../features/billing/words.ts";

/** What a press does, with the sum it takes. */
export function confirmLabel({ timing, dueNow, effectiveAt }: ChangePreview): string {
  if (timing === "period-end") return t("plans.confirm.schedule", { date: dayOf(effectiveAt) });
  return dueNow.amount > 0 ? t("plans.confirm.pay", { amount: formatCharge(dueNow) }) : t("plans.confirm.change");
}
