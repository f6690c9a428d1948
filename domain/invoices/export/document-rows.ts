/** The documents of a month as an accountant books them: a row for each, with columns named as DATEV names them, and their sums. */
import { plainAmount } from "#contract/billing/money/plain-amount.ts";
import type { InvoiceDocument } from "../document/invoice-document.ts";
import type { InvoiceRow } from "../invoice-store.ts";

export type DocumentKind = InvoiceDocument["kind"];

/** Amounts in minor units; below zero on credit notes. */
export interface DocumentSums {
  count: number;
  net: number;
  tax: number;
  total: number;
}

export const kindOf = ({ document, total }: Pick<InvoiceRow, "document" | "total">): DocumentKind =>
  (document as InvoiceDocument | null)?.kind ?? (total < 0 ? "credit-note" : "invoice");

const kinds: Readonly<Record<DocumentKind, string>> = { invoice: "Rechnung", "credit-note": "Gutschrift", "debit-note": "Nachbelastung" };

type Column = [name: string, of: (row: InvoiceRow, document: InvoiceDocument | null, file: string) => string];

/** `Umsatz` is above zero, and S or H says in which direction: that a customer owes more, or less. */
const columns: readonly Column[] = [
  ["Umsatz", ({ total, currency }) => decimal(Math.abs(total), currency)],
  ["Soll/Haben-Kennzeichen", ({ total }) => (total < 0 ? "H" : "S")],
  ["WKZ Umsatz", ({ currency }) => currency],
  ["Belegdatum", ({ issuedAt }) => dayOf(issuedAt.toISOString())],
  ["Belegfeld 1", ({ number }) => number ?? ""],
  ["Belegfeld 2", (_row, document) => document?.corrects ?? ""],
  ["Buchungstext", ({ description }) => description],
  ["Belegart", (row) => kinds[kindOf(row)]],
  ["Netto", ({ total, tax, currency }) => decimal(total - tax, currency)],
  ["Steuer", ({ tax, currency }) => decimal(tax, currency)],
  ["Steuersatz", (_row, document) => (document?.tax?.ratePercent ?? "").toString().replace(".", ",")],
  ["Reverse Charge", (_row, document) => (document ? (document.reverseCharge ? "ja" : "nein") : "")],
  ["Steuer in Landeswährung", (_row, document) => amountOf(document?.taxInSellerCurrency?.amount)],
  ["WKZ Landeswährung", (_row, document) => document?.taxInSellerCurrency?.amount.currency ?? ""],
  ["Kunde", (_row, document) => document?.buyer.details.name ?? ""],
  ["Kundenkonto", (_row, document) => document?.buyer.accountName ?? ""],
  ["Land", (_row, document) => document?.buyer.details.country ?? ""],
  ["EU-Land u. UStID", (_row, document) => document?.buyer.details.vatId ?? ""],
  ["Leistung von", (_row, document) => (document?.servicePeriod ? dayOf(document.servicePeriod.from) : "")],
  ["Leistung bis", (_row, document) => (document?.servicePeriod ? dayOf(document.servicePeriod.to) : "")],
  ["Stand", ({ status }) => status],
  ["Zahlungsdienst", ({ provider }) => provider],
  ["Beleglink", (_row, _document, file) => file],
];

const byteOrderMark = "\uFEFF";
const line = (values: readonly string[]): string => `${values.map(cell).join(";")}\r\n`;

/** The first line, with the mark by which spreadsheets recognise UTF-8. */
export const headLine = (): string => byteOrderMark + line(columns.map(([name]) => name));

/** `file`: the document's PDF beside it; empty if another party writes it. */
export const documentLine = (row: InvoiceRow, file: string): string =>
  line(columns.map(([, of]) => of(row, row.document as InvoiceDocument | null, file)));

/** Always quoted. A text that a spreadsheet would run as a formula gets an apostrophe; amounts below zero are no formulas. */
function cell(value: string): string {
  const isFormula = /^[=+\-@\t]/.test(value) && !/^-?[\d.,]+$/.test(value);
  return `"${isFormula ? "'" : ""}${value.replaceAll('"', '""')}"`;
}

/** Such as `1234,50`: with a comma and without thousands, as DATEV reads it. */
export const decimal = (minor: number, currency: string): string => plainAmount({ amount: minor, currency }).replace(".", ",");
const amountOf = (money: { amount: number; currency: string } | undefined): string => (money ? decimal(money.amount, money.currency) : "");
/** In UTC, as on the documents: such as `21.11.2026`. */
const dayOf = (iso: string): string => iso.slice(0, 10).split("-").toReversed().join(".");
