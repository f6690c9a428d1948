/**
 * Draws an invoice as a PDF: A4, our own fonts embedded, and the same bytes each time. pdfkit streams as it draws, so a long
 * invoice is never entirely in memory.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Readable } from "node:stream";
import PdfDocument from "pdfkit";
import { formatMoney } from "#contract/billing/format-money.ts";
import type { Money } from "#contract/billing/money.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { sumsOf } from "./invoice-sums.ts";
import { countryName, invoiceWords as words } from "./invoice-words.ts";

/** An invoice's current status. Its document never changes; this does. */
export interface Standing {
  status: "paid" | "open" | "void" | "refunded";
  /** What cards were charged for it, in minor units. */
  received: number;
  /** The newest of those payments. */
  last: { at: Date; brand: string | null; lastFour: string | null } | null;
  /** Our credit notes for it with the amount of each, and debit notes; above zero. */
  corrections: readonly { number: string; total: Money }[];
}

const page = { left: 56, right: 539, width: 483, bottom: 770 };
const columns = { quantity: { x: 330, width: 50 }, amount: { x: 400, width: 139 } };
const colors = { ink: "#18222d", muted: "#52606d", rule: "#dfe5ea", accent: "#0b5c68" };

/** Digits of equal width align in columns; kerning would move a decimal point. */
const figures = { features: ["tnum"] } satisfies PDFKit.Mixins.TextOptions;

type Doc = InstanceType<typeof PdfDocument>;

/** Draws the invoice; the stream ends with the document. */
export function drawInvoice(invoice: InvoiceDocument, standing: Standing): Readable {
  const title = words.title[invoice.kind];
  const doc = new PdfDocument({
    size: "A4",
    margins: { top: 56, bottom: 72, left: page.left, right: 56 },
    bufferPages: true,
    // Otherwise pdfkit uses the current time, and derives the file's id from it.
    info: {
      Title: `${title} ${invoice.number}`,
      Author: invoice.seller.name,
      Producer: "Slipway",
      Creator: "Slipway",
      CreationDate: new Date(invoice.issuedAt),
      ModDate: new Date(invoice.issuedAt),
    },
    lang: "en",
    displayTitle: true,
  });
  const { regular, bold } = fonts();
  doc.registerFont("regular", regular).registerFont("bold", bold);
  drawHead(doc, invoice, title, standing.status);
  drawParties(doc, invoice);
  drawLines(doc, invoice);
  drawTotals(doc, invoice, standing);
  drawNotes(doc, invoice, standing);
  drawFooters(doc, invoice, title);
  doc.end();
  return doc as unknown as Readable;
}

let read: { regular: Buffer; bold: Buffer } | undefined;

/** Inter, with Latin, Greek and Cyrillic letters, loaded at the first invoice, 340 KB each; a file contains only the glyphs it uses. */
function fonts(): { regular: Buffer; bold: Buffer } {
  const file = (face: string) => readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${face}`)));
  return (read ??= { regular: file("400Regular/Inter_400Regular.ttf"), bold: file("600SemiBold/Inter_600SemiBold.ttf") });
}

function drawHead(doc: Doc, invoice: InvoiceDocument, title: string, status: Standing["status"]): void {
  doc.font("bold").fontSize(22).fillColor(colors.ink).text(title, page.left, 56);
  doc.font("bold").fontSize(13).fillColor(colors.accent).text(invoice.seller.name, page.left, 60, { width: page.width, align: "right" });
  const { kind, subject, servicePeriod, corrects } = invoice;
  const isSettledNote = kind !== "invoice" && status === "paid";
  const facts: [string, string][] = [
    [words.number, invoice.number],
    [words.date, formatDay(invoice.issuedAt)],
    [words.status, isSettledNote ? words.issued : words.statuses[status]],
    ...(subject ? [[words.subject, subject] satisfies [string, string]] : []),
    ...(servicePeriod
      ? [[words.servicePeriod, `${formatDay(servicePeriod.from)} – ${formatDay(servicePeriod.to)}`] satisfies [string, string]]
      : []),
    ...(corrects ? [[words.corrects[kind], corrects] satisfies [string, string]] : []),
    // Currency symbols are ambiguous: twenty countries use a dollar sign.
    [words.currency, invoice.total.currency],
    [words.account, invoice.buyer.accountName],
  ];
  doc.fontSize(9.5);
  facts.forEach(([label, value], index) => {
    const y = 96 + index * 15;
    doc.font("regular").fillColor(colors.muted).text(label, page.left, y, { width: 90 });
    doc.fillColor(colors.ink).text(value, page.left + 90, y, { width: page.width - 90, height: 15, ellipsis: true });
  });
  doc.y = 96 + facts.length * 15;
}

function drawParties(doc: Doc, { seller, buyer }: InvoiceDocument): void {
  const { details } = buyer;
  const place = [details.postalCode, details.city].filter(Boolean).join(" ");
  const from = [
    seller.name,
    ...seller.address,
    countryName(seller.country),
    seller.vatId && `${words.vatId} ${seller.vatId}`,
    seller.email,
  ];
  const to = [
    details.name,
    details.line1,
    details.line2,
    place,
    countryName(details.country),
    details.vatId && `${words.vatId} ${details.vatId}`,
    buyer.email,
  ];
  const top = doc.y + 19;
  const ends = [drawParty(doc, words.from, from, page.left, top), drawParty(doc, words.to, to, page.left + 250, top)];
  doc.y = Math.max(...ends) + 26;
}

function drawParty(doc: Doc, label: string, lines: string[], x: number, y: number): number {
  const width = 225;
  doc.font("regular").fontSize(9).fillColor(colors.muted).text(label, x, y, { width });
  doc.moveDown(0.3);
  const [name = "", ...others] = lines.filter((line) => line !== "");
  doc.font("bold").fontSize(10).fillColor(colors.ink).text(name, x, doc.y, { width });
  doc.font("regular").fontSize(9.5);
  for (const line of others) doc.text(line, x, doc.y + 1.5, { width });
  return doc.y;
}

function drawLines(doc: Doc, { lines, tax }: InvoiceDocument): void {
  const heading = () => {
    const { y } = doc;
    doc.font("regular").fontSize(9).fillColor(colors.muted);
    doc.text(words.description, page.left, y, { width: 260 });
    doc.text(words.quantity, columns.quantity.x, y, { width: columns.quantity.width, align: "right" });
    doc.text(tax?.inclusive ? words.amountWithTax : words.amount, columns.amount.x, y, { width: columns.amount.width, align: "right" });
    rule(doc, doc.y + 4);
    doc.y += 10;
  };
  heading();
  for (const line of lines) {
    const height = doc.font("regular").fontSize(9.5).heightOfString(line.label, { width: 260 });
    if (doc.y + height + 10 > page.bottom) {
      doc.addPage();
      heading();
    }
    const { y } = doc;
    doc.font("regular").fontSize(9.5).fillColor(colors.ink);
    doc.text(String(line.quantity), columns.quantity.x, y, { width: columns.quantity.width, align: "right", ...figures });
    doc.text(formatMoney(line.amount), columns.amount.x, y, { width: columns.amount.width, align: "right", ...figures });
    doc.text(line.label, page.left, y, { width: 260 });
    doc.y = y + height + 6;
  }
  rule(doc, doc.y + 2);
  doc.y += 12;
}

/** Lines, tax and total always add up as printed: any other deduction by the provider is its own line. */
function drawTotals(doc: Doc, invoice: InvoiceDocument, { status, received }: Standing): void {
  const { tax, total } = invoice;
  const money = (amount: number): Money => ({ amount, currency: total.currency });
  const sums = sumsOf(invoice, status, received);
  const rows: [string, Money][] = [];
  if (sums.added !== 0 || sums.otherwise !== 0) rows.push([words.subtotal, money(sums.lines)]);
  if (sums.otherwise !== 0)
    rows.push([Math.sign(sums.otherwise) === Math.sign(total.amount) ? words.rounding : words.discount, money(sums.otherwise)]);
  // The taxable amount, if it differs from the subtotal: article 226 (8).
  if (tax && !tax.inclusive && sums.otherwise !== 0) rows.push([words.net, money(total.amount - sums.added)]);
  if (tax && !tax.inclusive) rows.push([words.tax(tax.name, tax.ratePercent), tax.amount]);
  if (doc.y + rows.length * 16 + 90 > page.bottom) doc.addPage();
  for (const [label, amount] of rows) drawTotal(doc, label, amount, "regular", 9.5);
  doc.y += 4;
  drawTotal(doc, words.total, total, "bold", 12);
  if (tax?.inclusive) {
    drawTotal(doc, words.includedTax(tax.name, tax.ratePercent), tax.amount, "regular", 9);
    drawTotal(doc, words.net, money(total.amount - tax.amount.amount), "regular", 9);
  }
  // How it was paid: shown unless one card paid all of it, and where something is open.
  const settled: [string, number][] = [
    [words.fromCredit, 0 - sums.fromCredit],
    [words.received, 0 - sums.received],
    [words.paidOtherwise, 0 - sums.paidOtherwise],
  ];
  const told = status === "void" ? [] : settled.filter(([, amount]) => amount !== 0);
  doc.y += 4;
  for (const [label, amount] of told) drawTotal(doc, label, money(amount), "regular", 9.5);
  if (invoice.kind === "invoice" && status !== "void") drawTotal(doc, words.due, money(sums.open), "bold", 9.5);
}

function drawTotal(doc: Doc, label: string, amount: Money, font: string, size: number): void {
  const { y } = doc;
  doc
    .font(font)
    .fontSize(size)
    .fillColor(font === "bold" ? colors.ink : colors.muted);
  doc.text(label, 250, y, { width: 180, align: "right" });
  doc.fillColor(colors.ink).text(formatMoney(amount), 440, y, { width: 99, align: "right", ...figures });
  doc.y = y + size + 7;
}

function drawNotes(doc: Doc, invoice: InvoiceDocument, { status, received, last, corrections }: Standing): void {
  doc.y += 18;
  const isFromCredit =
    status === "paid" && invoice.total.amount > 0 && sumsOf(invoice, status, received).fromCredit >= invoice.total.amount;
  const notes = [
    invoice.reverseCharge ? words.reverseCharge : "",
    invoice.reverseCharge && invoice.vatCheck ? words.vatConfirmed(formatDay(invoice.vatCheck.checkedAt), invoice.vatCheck.reference) : "",
    invoice.taxInSellerCurrency
      ? words.taxInOwn(
          invoice.tax?.name ?? "",
          formatMoney(invoice.taxInSellerCurrency.amount),
          invoice.taxInSellerCurrency.rate,
          formatDay(invoice.taxInSellerCurrency.day),
        )
      : "",
    status === "void" ? words.void : "",
    last
      ? words.paid(formatDay(last.at.toISOString()), last.brand, last.lastFour, status === "paid")
      : isFromCredit
        ? words.paidFromCredit
        : "",
    status === "refunded" ? words.refunded : "",
    ...corrections.map(({ number, total }) =>
      total.amount > 0
        ? words.withdrawnBy(number, formatMoney(total))
        : words.correctedBy(number, formatMoney({ ...total, amount: -total.amount })),
    ),
    invoice.kind === "invoice" ? "" : correctionWords(invoice),
  ];
  doc.font("regular").fontSize(9.5).fillColor(colors.ink);
  for (const note of notes.filter((text) => text !== "")) {
    if (doc.y + 40 > page.bottom) doc.addPage();
    doc.text(note, page.left, doc.y, { width: page.width });
    doc.moveDown(0.5);
  }
}

function correctionWords({ because, corrects }: InvoiceDocument): string {
  return because && corrects ? words.creditNotes[because](corrects) : words.creditNotes.other;
}

function drawFooters(doc: Doc, invoice: InvoiceDocument, title: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    // The footer is in the margin, where pdfkit would start a new page.
    doc.page.margins.bottom = 0;
    rule(doc, 786);
    doc.font("regular").fontSize(8).fillColor(colors.muted);
    doc.text(`${title} ${invoice.number} · ${invoice.seller.name}`, page.left, 793, { width: 380, lineBreak: false });
    doc.text(words.page(index - start + 1, count), page.right - 100, 793, { width: 100, align: "right", lineBreak: false });
  }
}

function rule(doc: Doc, y: number): void {
  doc.moveTo(page.left, y).lineTo(page.right, y).lineWidth(0.75).strokeColor(colors.rule).stroke();
}

/** Such as `21 November 2026`, in UTC like the invoice numbers. */
function formatDay(iso: string): string {
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(iso));
}
