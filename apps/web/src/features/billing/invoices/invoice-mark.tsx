import type { Transaction } from "../billing-queries.ts";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { t } from "../words.ts";

const tones = { paid: "good", open: "waiting", void: "plain", refunded: "plain", disputed: "bad" } as const;

/** Whether an invoice is paid; for a correcting document, its kind. */
export function InvoiceMark({ invoice: { kind, status } }: { invoice: Pick<Transaction, "kind" | "status"> }) {
  return kind === "invoice" ? (
    <StateMark tone={tones[status]}>{t(`billing.invoices.statuses.${status}`)}</StateMark>
  ) : (
    <StateMark tone="plain">{t(`billing.invoices.corrections.${kind}`)}</StateMark>
  );
}
