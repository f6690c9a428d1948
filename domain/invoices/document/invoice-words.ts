/** Every word on an invoice that does not come from the seller, the buyer or the provider, in the language it was issued in. */
import type { Language } from "#contract/accounts/language.ts";
import { cardBrands } from "#contract/billing/card-brands.ts";
import { wordsFor } from "#domain/mail/rendering/mail-words.ts";

const english = {
  title: { invoice: "Invoice", "credit-note": "Credit note", "debit-note": "Debit note" },
  number: "Number",
  date: "Date of issue",
  account: "Account",
  currency: "Currency",
  subject: "For",
  servicePeriod: "Service period",
  status: "Status",
  statuses: { paid: "Paid", open: "Open", void: "Void", refunded: "Refunded", disputed: "Disputed" },
  /** By document kind. */
  corrects: { invoice: "Corrects", "credit-note": "Corrects invoice", "debit-note": "Withdraws" },
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
  headline: {
    paid: (sum: string, day: string | null) => (day === null ? `${sum} paid` : `${sum} paid on ${day}`),
    open: (sum: string) => `${sum} due`,
  },
  fromCredit: "Paid from your credit",
  received: "Paid",
  paidOtherwise: "Paid by other means",
  due: "Amount due",
  charged: "Charged to the saved payment method.",
  paid: (day: string, brand: string | null, lastFour: string | null, isDone: boolean) => {
    const card = cardName(brand, lastFour);
    return `Paid on ${day}${card ? ` by ${card}` : ""}.${isDone ? " No further action is needed." : ""}`;
  },
  paidFromCredit: "Paid in full from your credit. No card was charged.",
  void: "This invoice was cancelled. Nothing is owed.",
  refunded: "The payment was refunded.",
  disputed: "The payment is disputed: the bank that made it took it back. It was not refunded, so this invoice is not corrected.",
  correctedBy: (number: string, amount: string) => `Corrected by credit note ${number} for ${amount}.`,
  withdrawnBy: (number: string, amount: string) => `The refund of ${amount} failed. Its credit note is withdrawn by debit note ${number}.`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
} as const;

/** The words of an invoice in its language; null is English. */
export const invoiceWords = wordsFor(english, {
  title: { invoice: "Rechnung", "credit-note": "Gutschrift", "debit-note": "Nachbelastung" },
  number: "Nummer",
  date: "Rechnungsdatum",
  account: "Konto",
  currency: "Währung",
  subject: "Für",
  servicePeriod: "Leistungszeit",
  status: "Status",
  statuses: { paid: "Bezahlt", open: "Offen", void: "Storniert", refunded: "Erstattet", disputed: "Bestritten" },
  corrects: { invoice: "Berichtigt", "credit-note": "Zu Rechnung", "debit-note": "Zu Gutschrift" },
  issued: "Ausgestellt",
  from: "Von",
  to: "An",
  vatId: "USt-IdNr.",
  description: "Beschreibung",
  quantity: "Menge",
  amount: "Betrag",
  amountWithTax: "Betrag (mit Steuern)",
  subtotal: "Zwischensumme",
  tax: (name, percent) => (percent === null ? name : `${name} ${percentOf(percent)}`),
  includedTax: (name, percent) => `inklusive ${percent === null ? name : `${name} ${percentOf(percent)}`}`,
  net: "Netto",
  discount: "Rabatt",
  rounding: "Rundung",
  total: "Gesamtbetrag",
  reverseCharge:
    "Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge): Der Empfänger der Leistung schuldet die Umsatzsteuer (Artikel 196 der Richtlinie 2006/112/EG).",
  vatConfirmed: (day, reference) => `Die USt-IdNr. des Empfängers wurde am ${day} von VIES bestätigt${reference ? ` (${reference})` : ""}.`,
  taxInOwn: (name, amount, rate, day) => `${name} in der Währung des Verkäufers: ${amount} (${rate}, Europäische Zentralbank, ${day}).`,
  creditNotes: {
    cancelled: (number) => `Sie storniert die Rechnung ${number} vollständig. Für diese ist nichts zu zahlen.`,
    refunded: (number) => `Dieser Betrag der Rechnung ${number} wurde auf die Karte oder das Konto erstattet, von dem er bezahlt wurde.`,
    "refund-failed": (number) =>
      `Sie nimmt die Gutschrift ${number} zurück. Deren Erstattung ist fehlgeschlagen, der Betrag wurde also nicht erstattet. Es ist nichts zu zahlen.`,
    other: "Dieser Betrag wird erstattet oder mit der nächsten Zahlung verrechnet.",
  },
  headline: {
    paid: (sum, day) => (day === null ? `${sum} bezahlt` : `${sum} bezahlt am ${day}`),
    open: (sum) => `${sum} offen`,
  },
  fromCredit: "Aus Ihrem Guthaben bezahlt",
  received: "Bezahlt",
  paidOtherwise: "Auf andere Weise bezahlt",
  due: "Offener Betrag",
  charged: "Wird vom gespeicherten Zahlungsmittel abgebucht.",
  paid: (day, brand, lastFour, isDone) => {
    const card = cardName(brand, lastFour, "de");
    return `Bezahlt am ${day}${card ? ` mit ${card}` : ""}.${isDone ? " Sie müssen nichts weiter tun." : ""}`;
  },
  paidFromCredit: "Vollständig aus Ihrem Guthaben bezahlt. Es wurde nichts von einer Karte abgebucht.",
  void: "Diese Rechnung wurde storniert. Es ist nichts zu zahlen.",
  refunded: "Die Zahlung wurde erstattet.",
  disputed:
    "Die Zahlung ist bestritten: Die Bank, von der sie kam, hat sie zurückgeholt. Sie wurde nicht erstattet, und diese Rechnung ist damit nicht berichtigt.",
  correctedBy: (number, amount) => `Berichtigt durch Gutschrift ${number} über ${amount}.`,
  withdrawnBy: (number, amount) =>
    `Die Erstattung von ${amount} ist fehlgeschlagen. Die Gutschrift dafür nimmt die Nachbelastung ${number} zurück.`,
  page: (page, pages) => `Seite ${page} von ${pages}`,
});

const percentOf = (percent: number): string => `${percent.toLocaleString("de")} %`;

const brands: Readonly<Record<string, string>> = cardBrands;

/** Such as `Visa ending in 4242`; null if unknown. */
export function cardName(brand: string | null, lastFour: string | null, language: Language | null = null): string | null {
  if (brand === "paypal") return "PayPal";
  if (!lastFour) return null;
  const name = brands[brand ?? ""];
  return language === "de" ? `${name ?? "Karte"} mit der Endung ${lastFour}` : `${name ?? "card"} ending in ${lastFour}`;
}

/** The country's name in the language; an unknown code is returned unchanged. */
export function countryName(code: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}
