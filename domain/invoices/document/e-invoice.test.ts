/** The invoice as data, held against the published schema of Factur-X and ZUGFeRD at the level of EN 16931, and against the standard's sums. */
import { buffer } from "node:stream/consumers";
import { extractXml, Profile, validateXsd } from "@stackforge-eu/factur-x";
import { expect, test } from "vitest";
import { drawInvoice, type Standing } from "./draw-invoice.ts";
import { eInvoiceOf } from "./e-invoice.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

const eur = (amount: number) => ({ amount, currency: "EUR" });
const details = {
  name: "Müller & Söhne <GmbH>",
  line1: "Straße 1",
  line2: "",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "DE123456789",
};
const invoice: InvoiceDocument = {
  kind: "invoice",
  number: "2026-000123",
  issuedAt: "2026-11-21T10:00:00.000Z",
  subject: "Upgrade to Pro",
  servicePeriod: { from: "2026-11-21T10:00:00.000Z", to: "2026-12-21T10:00:00.000Z" },
  seller: {
    name: "R&D Example GmbH",
    address: ["Musterstraße 1", "10115 Berlin"],
    country: "DE",
    vatId: "DE987654321",
    email: "help@s.example",
  },
  buyer: { accountName: "acme", email: "ada@example.com", details },
  lines: [
    { label: "Pro, monthly", quantity: 1, amount: eur(5500), isProration: false },
    { label: "1,000 more executions", quantity: 3, amount: eur(1000), isProration: false },
    { label: "Unused time on Starter", quantity: 1, amount: eur(-1830), isProration: true },
  ],
  tax: { name: "VAT", ratePercent: 19, amount: eur(887), inclusive: false },
  total: eur(5557),
  creditUsed: eur(557),
  reverseCharge: false,
};
const paid: Standing = { status: "paid", received: 5000, last: null, corrections: [] };
const of = (status: Standing["status"], received = 0): Standing => ({ ...paid, status, received });
const abroad = (country: string, vatId: string) => ({ ...invoice.buyer, details: { ...details, country, vatId } });
const negative = (document: InvoiceDocument): InvoiceDocument => ({
  ...document,
  kind: "credit-note",
  corrects: "2026-000100",
  lines: document.lines.map((line) => ({ ...line, amount: eur(-line.amount.amount) })),
  tax: document.tax && { ...document.tax, amount: eur(-document.tax.amount.amount) },
  total: eur(-document.total.amount),
});
const free = { tax: null, total: eur(4670), creditUsed: eur(0) };

/** Each kind of document that a seller in the EU issues, and its status. */
const documents: Record<string, [InvoiceDocument, Standing]> = {
  "paid by card and from credit": [invoice, paid],
  open: [{ ...invoice, language: "de" }, of("open")],
  cancelled: [invoice, of("void")],
  disputed: [invoice, of("disputed", 5000)],
  "prices with tax": [
    {
      ...invoice,
      lines: [
        { label: "Pro", quantity: 3, amount: eur(10_000), isProration: false },
        { label: "More", quantity: 1, amount: eur(3333), isProration: false },
      ],
      tax: { name: "VAT", ratePercent: 19, amount: eur(2129), inclusive: true },
      total: eur(13_333),
      creditUsed: eur(0),
    },
    of("paid", 13_333),
  ],
  "a discount": [
    { ...invoice, tax: { name: "VAT", ratePercent: 19, amount: eur(697), inclusive: false }, total: eur(4367), creditUsed: eur(0) },
    of("paid", 4367),
  ],
  "a tax in the seller's currency": [
    { ...invoice, taxInSellerCurrency: { amount: { amount: 4100, currency: "PLN" }, rate: "4.62", day: "2026-11-20" } },
    paid,
  ],
  "reverse charge": [{ ...invoice, ...free, reverseCharge: true, buyer: abroad("AT", "ATU12345678") }, of("paid", 4670)],
  "a buyer outside of the EU": [{ ...invoice, ...free, buyer: abroad("US", "") }, of("paid", 4670)],
  "a refund": [{ ...negative(invoice), because: "refunded" }, paid],
  "a cancellation": [{ ...negative(invoice), because: "cancelled" }, paid],
  "credited time": [{ ...negative(invoice), corrects: "2026-000100, 2026-000101" }, paid],
  "a refund of reverse charge": [
    { ...negative({ ...invoice, ...free, reverseCharge: true, buyer: abroad("AT", "ATU12345678") }), because: "refunded" },
    paid,
  ],
  "a refund that failed": [{ ...invoice, kind: "debit-note", because: "refund-failed", corrects: "2026-000122" }, paid],
};
const kinds = Object.keys(documents);

const one = (xml: string, name: string): number => Number(new RegExp(`<ram:${name}[^>]*>([^<]*)<`).exec(xml)?.[1]);
const all = (xml: string, name: string): number[] =>
  [...xml.matchAll(new RegExp(`<ram:${name}[^>]*>([^<]*)<`, "g"))].map(([, value]) => Number(value));
const cents = (amount: number): number => Math.round(amount * 100);

test.each(kinds)("%s: the data has the form of the published schema", async (kind) => {
  const xml = eInvoiceOf(...documents[kind]!);
  expect(await validateXsd(xml!, Profile.EN16931)).toEqual({ valid: true, errors: [] });
});

test.each(kinds)("%s: lines, deductions, tax, what is paid and what is due add up, as the document does", (kind) => {
  const [document, standing] = documents[kind]!;
  const xml = eInvoiceOf(document, standing)!;
  const [head] = xml.split("<ram:SpecifiedTradeSettlementHeaderMonetarySummation>").slice(1);
  const sum = (name: string) => cents(one(head!, name));
  // Rules BR-CO-10, 13, 15 and 16.
  const lines = all(xml.split("<ram:SpecifiedTradeSettlementHeaderMonetarySummation>")[0]!, "LineTotalAmount");
  expect(cents(lines.reduce((total, line) => total + line, 0))).toBe(sum("LineTotalAmount"));
  expect(sum("LineTotalAmount") - sum("AllowanceTotalAmount") + sum("ChargeTotalAmount")).toBe(sum("TaxBasisTotalAmount"));
  expect(sum("TaxBasisTotalAmount") + sum("TaxTotalAmount")).toBe(sum("GrandTotalAmount"));
  expect(sum("GrandTotalAmount") - sum("TotalPrepaidAmount")).toBe(sum("DuePayableAmount"));
  expect(sum("GrandTotalAmount")).toBe(Math.abs(document.total.amount));
  expect(sum("TaxTotalAmount")).toBe(Math.abs(document.tax?.amount.amount ?? 0));
  // BR-27: no price is below zero.
  expect(all(xml, "ChargeAmount").every((price) => price >= 0)).toBe(true);
});

test("what is still due depends on the payment: nothing on a paid invoice, all of an open one", () => {
  const due = (standing: Standing) => one(eInvoiceOf(invoice, standing)!, "DuePayableAmount");
  expect([due(paid), due(of("open")), due(of("refunded", 5000)), due(of("disputed", 5000))]).toEqual([0, 50, 0, 0]);
});

test.each<[string, Partial<InvoiceDocument>]>([
  ["the seller is outside of the EU", { seller: { ...invoice.seller, country: "US" } }],
  ["the seller has no VAT id", { seller: { ...invoice.seller, vatId: "" } }],
  ["the buyer's country is unknown", { buyer: abroad("", "") }],
  ["several rates were charged", { tax: { ...invoice.tax!, ratePercent: null } }],
  ["no tax was charged within the EU, for a reason we do not know", { ...free }],
])("%s: nothing is stated as data, and the document is printed", async (_why, changes) => {
  const document = { ...invoice, ...changes };
  expect(eInvoiceOf(document, paid)).toBeNull();
  const pdf = (await buffer(drawInvoice(document, paid))).toString("latin1");
  expect(pdf).toContain("%PDF-1.7");
  expect(pdf).not.toContain("factur-x");
});

test("the PDF has the data inside, says so in its metadata, and has what PDF/A-3 asks for", async () => {
  const pdf = await buffer(drawInvoice(invoice, paid));
  const file = pdf.toString("latin1");
  const { xml } = await extractXml(pdf);
  expect(xml).toBe(eInvoiceOf(invoice, paid));
  for (const part of ["/AFRelationship /Alternative", "/AF [", "/S /GTS_PDFA1", "/Subtype /text#2Fxml", "/ID ["])
    expect(file).toContain(part);
  // Metadata is not compressed, so that readers find it, and is XML.
  for (const words of [
    "<pdfaid:part>3</pdfaid:part>",
    "<pdfaid:conformance>B</pdfaid:conformance>",
    "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
    "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
    "<pdfaProperty:name>ConformanceLevel</pdfaProperty:name>",
    "<rdf:li>R&amp;D Example GmbH</rdf:li>",
  ])
    expect(file).toContain(words);
  // Every font is embedded: the standard fonts of readers would not be.
  const fonts = [...file.matchAll(/\/Type \/FontDescriptor/g)].length;
  expect([...file.matchAll(/\/FontFile[23]? \d/g)].length).toBe(fonts);
});
