/** What an invoice, credit note or debit note says first, and how it was paid where no card was charged. */
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import { formatMoney } from "../format-price.ts";
import { documentDay } from "./document-day.ts";
import { t } from "./words.ts";

/** How much, and what became of it. */
export function headlineOf(invoice: InvoiceSheet): string {
  const { kind, status, total, paid, payments } = invoice;
  const amount = formatMoney({ ...total, amount: Math.abs(total.amount) });
  if (kind === "debit-note") return t("invoice.headline.debit-note");
  if (kind === "credit-note") return noteHeadline(invoice, amount);
  if (status === "void") return t("invoice.headline.void");
  if (status === "open") return t("invoice.headline.open", { amount: formatMoney(paid.open) });
  if (status === "refunded") return t("invoice.headline.refunded", { amount: formatMoney(refundedOf(invoice)) });
  const last = payments.find((payment) => payment.status === "succeeded");
  return last ? t("invoice.headline.paidOn", { amount, date: documentDay(last.at) }) : t("invoice.headline.paid", { amount });
}

/** Only an unpaid invoice is cancelled, so that its credit note returns no money. */
function noteHeadline({ document, corrections }: InvoiceSheet, amount: string): string {
  if (document?.because === "cancelled") return t("invoice.headline.cancels");
  if (corrections.some(({ kind }) => kind === "debit-note")) return t("invoice.headline.withdrawn");
  return t(document?.because === "refunded" ? "invoice.headline.refunded" : "invoice.headline.credit-note", { amount });
}

/** What went back to a card: not the part that was paid from credit. */
function refundedOf({ total, payments }: InvoiceSheet): InvoiceSheet["total"] {
  const back = payments.filter(({ status }) => status === "refunded").reduce((sum, { amount }) => sum + amount.amount, 0);
  return back > 0 ? { ...total, amount: back } : total;
}

/** How the provider was paid: by what all its payments have in common, and unknown where it names no method or several. */
export function paidBy(payments: InvoiceSheet["payments"]): "card" | "paypal" | "unknown" {
  const brands = payments.filter(({ status }) => status === "succeeded" || status === "refunded").map(({ brand }) => brand);
  const means = new Set(brands.map((brand) => (brand === "paypal" ? "paypal" : brand === null ? "unknown" : "card")));
  const [only] = means;
  return only !== undefined && means.size === 1 ? only : "unknown";
}

/** In place of the list of payments, where there is none; null where nothing was ever to be paid. */
export function unchargedText({ status, paid, total }: InvoiceSheet): string | null {
  if (status === "void") return null;
  if (status === "open") return t("invoice.noPayments");
  return t(paid.fromCredit.amount >= total.amount ? "invoice.creditOnly" : "invoice.otherwiseOnly");
}
