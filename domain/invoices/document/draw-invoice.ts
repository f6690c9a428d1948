/**
 * Draws an invoice as a PDF/A-3: A4, our own fonts embedded, the same bytes each time, and the invoice as data inside (decision 0191). pdfkit
 * streams as it draws, so a long invoice is never entirely in memory.
 */
import type { Readable } from "node:stream";
import { asOneLine } from "#contract/api/printable-text.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { eInvoiceName, eInvoiceOf } from "./e-invoice.ts";
import { eInvoiceMetadata } from "./e-invoice-metadata.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { sumsOf } from "./invoice-sums.ts";
import { tongueOf, type Tongue } from "./invoice-tongue.ts";
import { ScriptsDocument } from "./scripts-document.ts";

/** An invoice's current status. Its document never changes; this does. */
export interface Standing {
  status: "paid" | "open" | "void" | "refunded" | "disputed";
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

const hangingIndent = 8;

/** Digits of equal width align in columns; kerning would move a decimal point. */
const figures = { features: ["tnum"] } satisfies PDFKit.Mixins.TextOptions;

type Doc = ScriptsDocument;

/** Draws the invoice; the stream ends with the document. */
export function drawInvoice(invoice: InvoiceDocument, standing: Standing): Readable {
  const language = invoice.language ?? "en";
  const tongue = tongueOf(language);
  const title = tongue.words.title[invoice.kind];
  const doc = new ScriptsDocument(
    {
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
      lang: language,
      pdfVersion: "1.7",
      subset: "PDF/A-3b",
      displayTitle: true,
    },
    invoice.buyer.details.country,
  );
  drawHead(doc, tongue, invoice, standing.status);
  drawParties(doc, tongue, invoice);
  drawHeadline(doc, tongue, invoice, standing);
  drawLines(doc, tongue, invoice);
  drawTotals(doc, tongue, invoice, standing);
  drawNotes(doc, tongue, invoice, standing);
  drawFooters(doc, tongue, invoice);
  attachData(doc, invoice, standing);
  doc.end();
  return doc as unknown as Readable;
}

/** The same invoice for programs: ZUGFeRD and Factur-X, at the level of EN 16931. */
function attachData(doc: Doc, invoice: InvoiceDocument, standing: Standing): void {
  const xml = eInvoiceOf(invoice, standing);
  if (xml === null) return;
  const at = new Date(invoice.issuedAt);
  const options = {
    name: eInvoiceName,
    type: "text/xml",
    description: `Factur-X: ${invoice.number}`,
    relationship: "Alternative",
    creationDate: at,
    modifiedDate: at,
  };
  // Its types lack `relationship`.
  doc.file(Buffer.from(xml), options);
  doc.appendXML(eInvoiceMetadata);
}

function drawHead(doc: Doc, { words, day, said }: Tongue, invoice: InvoiceDocument, status: Standing["status"]): void {
  doc.font("bold").fontSize(22).fillColor(colors.ink).text(words.title[invoice.kind], page.left, 56);
  doc.font("bold").fontSize(13).fillColor(colors.accent).text(invoice.seller.name, page.left, 60, { width: page.width, align: "right" });
  const { kind, subject, servicePeriod, corrects } = invoice;
  const isSettledNote = kind !== "invoice" && status === "paid";
  const facts: [string, string][] = [
    [words.number, invoice.number],
    [words.date, day(invoice.issuedAt)],
    [words.status, isSettledNote ? words.issued : words.statuses[status]],
    ...(subject ? [[words.subject, said(subject)] satisfies [string, string]] : []),
    ...(servicePeriod ? [[words.servicePeriod, `${day(servicePeriod.from)} – ${day(servicePeriod.to)}`] satisfies [string, string]] : []),
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

function drawParties(doc: Doc, { words, country }: Tongue, { seller, buyer }: InvoiceDocument): void {
  const { details } = buyer;
  const place = [details.postalCode, details.city].filter(Boolean).join(" ");
  const from = [seller.name, ...seller.address, country(seller.country), seller.vatId && `${words.vatId} ${seller.vatId}`, seller.email];
  const to = [
    details.name,
    details.line1,
    details.line2,
    place,
    country(details.country),
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
  // Old documents may have line breaks, which would print another fact, such as a second VAT ID. For the same reason a long line continues
  // indented.
  const [name = "", ...others] = lines.map(asOneLine).filter((line) => line !== "");
  const hanging = { width: width - hangingIndent, indent: -hangingIndent };
  doc.font("bold").fontSize(10).fillColor(colors.ink);
  doc.text(name, x + hangingIndent, doc.y, hanging);
  doc.font("regular").fontSize(9.5);
  for (const line of others) doc.text(line, x + hangingIndent, doc.y + 1.5, hanging);
  return doc.y;
}

/**
 * What most readers look for, before the details: how much, and whether it is paid. Corrections and void or refunded invoices say it in
 * their notes.
 */
function drawHeadline(doc: Doc, { words, money, day }: Tongue, invoice: InvoiceDocument, { status, received, last }: Standing): void {
  if (invoice.kind !== "invoice" || (status !== "paid" && status !== "open")) return;
  const { open } = sumsOf(invoice, status, received);
  const text =
    status === "paid"
      ? words.headline.paid(money(invoice.total), last && day(last.at.toISOString()))
      : words.headline.open(money({ ...invoice.total, amount: open }));
  doc.font("bold").fontSize(15).fillColor(colors.ink).text(text, page.left, doc.y, { width: page.width });
  doc.y += 14;
}

function drawLines(doc: Doc, { words, money, said }: Tongue, { lines, tax }: InvoiceDocument): void {
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
    const height = doc.font("regular").fontSize(9.5).heightOfString(said(line.label), { width: 260 });
    if (doc.y + height + 10 > page.bottom) {
      doc.addPage();
      heading();
    }
    const { y } = doc;
    doc.font("regular").fontSize(9.5).fillColor(colors.ink);
    doc.text(String(line.quantity), columns.quantity.x, y, { width: columns.quantity.width, align: "right", ...figures });
    doc.text(money(line.amount), columns.amount.x, y, { width: columns.amount.width, align: "right", ...figures });
    doc.text(said(line.label), page.left, y, { width: 260 });
    doc.y = y + height + 6;
  }
  rule(doc, doc.y + 2);
  doc.y += 12;
}

/** Lines, tax and total always add up as printed: any other deduction by the provider is its own line. */
function drawTotals(doc: Doc, { words, money, said }: Tongue, invoice: InvoiceDocument, { status, received }: Standing): void {
  const { tax, total } = invoice;
  const sum = (amount: number): Money => ({ amount, currency: total.currency });
  const sums = sumsOf(invoice, status, received);
  const rows: [string, Money][] = [];
  if (sums.added !== 0 || sums.otherwise !== 0) rows.push([words.subtotal, sum(sums.lines)]);
  if (sums.otherwise !== 0)
    rows.push([Math.sign(sums.otherwise) === Math.sign(total.amount) ? words.rounding : words.discount, sum(sums.otherwise)]);
  // The taxable amount, if it differs from the subtotal: article 226 (8).
  if (tax && !tax.inclusive && sums.otherwise !== 0) rows.push([words.net, sum(total.amount - sums.added)]);
  if (tax && !tax.inclusive) rows.push([words.tax(said(tax.name), tax.ratePercent), tax.amount]);
  if (doc.y + rows.length * 16 + 90 > page.bottom) doc.addPage();
  for (const [label, amount] of rows) drawTotal(doc, label, money(amount), "regular", 9.5);
  doc.y += 4;
  drawTotal(doc, words.total, money(total), "bold", 12);
  if (tax?.inclusive) {
    drawTotal(doc, words.includedTax(said(tax.name), tax.ratePercent), money(tax.amount), "regular", 9);
    drawTotal(doc, words.net, money(sum(total.amount - tax.amount.amount)), "regular", 9);
  }
  // How it was paid: shown unless one card paid all of it, and where something is open.
  const settled: [string, number][] = [
    [words.fromCredit, 0 - sums.fromCredit],
    [words.received, 0 - sums.received],
    [words.paidOtherwise, 0 - sums.paidOtherwise],
  ];
  const told = status === "void" ? [] : settled.filter(([, amount]) => amount !== 0);
  doc.y += 4;
  for (const [label, amount] of told) drawTotal(doc, label, money(sum(amount)), "regular", 9.5);
  // Whether a disputed amount is paid again is settled with the bank, not by this document.
  if (invoice.kind === "invoice" && status !== "void" && status !== "disputed")
    drawTotal(doc, words.due, money(sum(sums.open)), "bold", 9.5);
}

function drawTotal(doc: Doc, label: string, amount: string, font: string, size: number): void {
  const { y } = doc;
  doc
    .font(font)
    .fontSize(size)
    .fillColor(font === "bold" ? colors.ink : colors.muted);
  doc.text(label, 250, y, { width: 180, align: "right" });
  doc.fillColor(colors.ink).text(amount, 440, y, { width: 99, align: "right", ...figures });
  doc.y = y + size + 7;
}

function drawNotes(
  doc: Doc,
  { words, money, day, said }: Tongue,
  invoice: InvoiceDocument,
  { status, received, last, corrections }: Standing,
): void {
  doc.y += 18;
  const isFromCredit =
    status === "paid" && invoice.total.amount > 0 && sumsOf(invoice, status, received).fromCredit >= invoice.total.amount;
  const notes = [
    invoice.reverseCharge ? words.reverseCharge : "",
    invoice.reverseCharge && invoice.vatCheck ? words.vatConfirmed(day(invoice.vatCheck.checkedAt), invoice.vatCheck.reference) : "",
    invoice.taxInSellerCurrency
      ? words.taxInOwn(
          said(invoice.tax?.name ?? ""),
          money(invoice.taxInSellerCurrency.amount),
          invoice.taxInSellerCurrency.rate,
          day(invoice.taxInSellerCurrency.day),
        )
      : "",
    status === "void" ? words.void : "",
    last ? words.paid(day(last.at.toISOString()), last.brand, last.lastFour, status === "paid") : isFromCredit ? words.paidFromCredit : "",
    status === "refunded" ? words.refunded : status === "disputed" ? words.disputed : "",
    ...corrections.map(({ number, total }) =>
      total.amount > 0 ? words.withdrawnBy(number, money(total)) : words.correctedBy(number, money({ ...total, amount: -total.amount })),
    ),
    invoice.kind === "invoice" ? "" : correctionWords(words, invoice),
  ];
  doc.font("regular").fontSize(9.5).fillColor(colors.ink);
  for (const note of notes.filter((text) => text !== "")) {
    if (doc.y + 40 > page.bottom) doc.addPage();
    doc.text(note, page.left, doc.y, { width: page.width });
    doc.moveDown(0.5);
  }
}

function correctionWords(words: Tongue["words"], { because, corrects }: InvoiceDocument): string {
  return because && corrects ? words.creditNotes[because](corrects) : words.creditNotes.other;
}

function drawFooters(doc: Doc, { words }: Tongue, invoice: InvoiceDocument): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    // The footer is in the margin, where pdfkit would start a new page.
    doc.page.margins.bottom = 0;
    rule(doc, 786);
    doc.font("regular").fontSize(8).fillColor(colors.muted);
    doc.text(`${words.title[invoice.kind]} ${invoice.number} · ${invoice.seller.name}`, page.left, 793, { width: 380, lineBreak: false });
    doc.text(words.page(index - start + 1, count), page.right - 100, 793, { width: 100, align: "right", lineBreak: false });
  }
}

function rule(doc: Doc, y: number): void {
  doc.moveTo(page.left, y).lineTo(page.right, y).lineWidth(0.75).strokeColor(colors.rule).stroke();
}
