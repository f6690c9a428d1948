/** Every word on an invoice that does not come from the seller, the buyer or the provider. */
import { cardBrands } from "#contract/billing/card-brands.ts";

export const invoiceWords = {
  title: { invoice: "Invoice", "credit-note": "Credit note", "debit-note": "Debit note" },
  upgrade: (plan: string) => `Upgrade to ${plan}`,
  downgrade: (plan: string) => `Downgrade to ${plan}`,
  same: (plan: string) => `Change to ${plan}`,
  otherPeriod: (plan: string, unit: "day" | "month" | "yr") =>
    `Change to ${plan}, ${{ day: "by the day", month: "monthly", yr: "yearly" }[unit]}`,
  newQuotas: (plan: string) => `New quotas for ${plan}`,
  number: "Number",
  date: "Date of issue",
  account: "Account",
  currency: "Currency",
  subject: "For",
  servicePeriod: "Service period",
  status: "Status",
  statuses: { paid: "Paid", open: "Open", void: "Void", refunded: "Refunded" },
  /** By document kind. */
  corrects: { invoice: "Corrects", "credit-note": "Corrects invoice", "debit-note": "Withdraws" },
  cancels: (number: string) => `Cancellation of invoice ${number}`,
  givesBack: (number: string) => `Refund for invoice ${number}`,
  withdraws: (number: string) => `Withdrawal of credit note ${number}`,
  partOf: (number: string) => `Partial refund for invoice ${number}`,
  /** A correction needs no payment. */
  issued: "Issued",
  from: "From",
  to: "Billed to",
  vatId: "VAT ID",
  description: "Description",
  quantity: "Quantity",
  amount: "Amount",
  amountWithTax: "Amount (tax included)",
  subtotal: "Subtotal",
  tax: (name: string, percent: number | null) => (percent === null ? name : `${name} ${percent} %`),
  includedTax: (name: string, percent: number | null) => `including ${percent === null ? name : `${name} ${percent} %`}`,
  net: "Net of tax",
  discount: "Discount",
  rounding: "Rounding",
  total: "Total",
  reverseCharge: "Reverse charge: the recipient of the service is liable for the VAT (Article 196 of Directive 2006/112/EC).",
  vatConfirmed: (day: string, reference: string) =>
    `The recipient's VAT ID was confirmed by VIES on ${day}${reference ? ` (${reference})` : ""}.`,
  taxInOwn: (name: string, amount: string, rate: string, day: string) =>
    `${name} in the seller's currency: ${amount} (${rate}, European Central Bank, ${day}).`,
  creditNotes: {
    cancelled: (number: string) => `This cancels invoice ${number} in full. Nothing is owed for it.`,
    refunded: (number: string) => `This amount of invoice ${number} was refunded to the card or account that paid it.`,
    "refund-failed": (number: string) =>
      `This withdraws credit note ${number}. Its refund failed, so the amount was not returned. Nothing is due.`,
    other: "This amount is refunded, or credited to the next payment.",
  },
  fromCredit: "Paid from your credit",
  received: "Paid",
  paidOtherwise: "Paid by other means",
  due: "Amount due",
  paid: (day: string, brand: string | null, lastFour: string | null, isDone: boolean) => {
    const card = cardName(brand, lastFour);
    return `Paid on ${day}${card ? ` by ${card}` : ""}.${isDone ? " No further action is needed." : ""}`;
  },
  paidFromCredit: "Paid in full from your credit. No card was charged.",
  void: "This invoice was cancelled. Nothing is owed.",
  refunded: "The payment was refunded.",
  correctedBy: (number: string, amount: string) => `Corrected by credit note ${number} over ${amount}.`,
  withdrawnBy: (number: string, amount: string) => `The refund of ${amount} failed. Its credit note is withdrawn by debit note ${number}.`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
} as const;

const brands: Readonly<Record<string, string>> = cardBrands;

/** Such as `Visa ending in 4242`; null if unknown. */
export function cardName(brand: string | null, lastFour: string | null): string | null {
  if (brand === "paypal") return "PayPal";
  return lastFour ? `${brands[brand ?? ""] ?? "card"} ending in ${lastFour}` : null;
}

/** The country's English name; an unknown code is returned unchanged. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;
}
