/** The headline of an invoice, credit note or debit note, and how it was paid if no card was charged. */
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import { formatMoney } from "../format-price.ts";
import { documentDay } from "./document-day.ts";
import { t } from "./words.ts";

/** The amount and its status. */
export function headlineOf(invoice: InvoiceSheet): string {
  const { kind, status, total, paid, payments } = invoice;
  const amount = formatMoney({ ...total, amount: Math.abs(total.amount) });
  if (kind === "debit-note") return t("invoice.headline.debit-note");
  if (kind === "credit-note") return noteHeadline(invoice, amount);
  if (status === "void") return t("invoice.headline.void");
  if (status === "open") return t("invoice.headline.open", { amount: formatMoney(paid.open) });
  if (status === "refunded") return t("invoice.headline.refunded", { amount: formatMoney(backOf(invoice, "refunded")) });
  if (status === "disputed") return t("invoice.headline.disputed", { amount: formatMoney(backOf(invoice, "disputed")) });
  const last = payments.find((payment) => payment.status === "succeeded");
  return last ? t("invoice.headline.paidOn", { amount, date: documentDay(last.at) }) : t("invoice.headline.paid", { amount });
}

/** Only an unpaid invoice is cancelled, so that its credit note returns no money. */
function noteHeadline({ document, corrections }: InvoiceSheet, amount: string): string {
  if (document?.because === "cancelled") return t("invoice.headline.cancels");
  if (corrections.some(({ kind }) => kind === "debit-note")) return t("invoice.headline.withdrawn");
  return t(document?.because === "refunded" ? "invoice.headline.refunded" : "invoice.headline.credit-note", { amount });
}

/** The amount that left us again, without the part that was paid from credit. */
function backOf({ total, payments }: InvoiceSheet, how: "refunded" | "disputed"): InvoiceSheet["total"] {
  const back = payments.filter(({ status }) => status === how).reduce((sum, { amount }) => sum + amount.amount, 0);
  return back > 0 ? { ...total, amount: back } : total;
}

const wasCharged = ({ status }: InvoiceSheet["payments"][number]): boolean =>
  status === "succeeded" || status === "refunded" || status === "disputed";

/** The payment method that all payments have in common; unknown if the provider names none or several. */
export function paidBy(payments: InvoiceSheet["payments"]): "card" | "paypal" | "unknown" {
  const brands = payments.filter(wasCharged).map(({ brand }) => brand);
  const means = new Set(brands.map((brand) => (brand === "paypal" ? "paypal" : brand === null ? "unknown" : "card")));
  const [only] = means;
  return only !== undefined && means.size === 1 ? only : "unknown";
}

/** The card that paid, if it is known to be the only one: it paid the whole sum. */
export function cardOf(payments: InvoiceSheet["payments"]): InvoiceSheet["payments"][number] | null {
  if (paidBy(payments) !== "card") return null;
  const received = payments.filter(wasCharged);
  const [first] = received;
  return first?.lastFour && received.every(({ brand, lastFour }) => brand === first.brand && lastFour === first.lastFour) ? first : null;
}

/** Shown instead of the list of payments if there are none; null if there was never anything to pay. */
export function unchargedText({ status, paid, total }: InvoiceSheet): string | null {
  if (status === "void") return null;
  if (status === "open") return t("invoice.noPayments");
  return t(paid.fromCredit.amount >= total.amount ? "invoice.creditOnly" : "invoice.otherwiseOnly");
}
