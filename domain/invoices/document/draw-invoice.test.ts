import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { drawInvoice, type Standing } from "./draw-invoice.ts";
import { inflated, pdfText } from "#testing/content/pdf-text.ts";
import { canPrint } from "./invoice-fonts.ts";
import { isReverseCharge, type Buyer, type InvoiceDocument, type Seller } from "./invoice-document.ts";

const eur = (amount: number) => ({ amount, currency: "EUR" });
const seller: Seller = {
  name: "Slipway Example GmbH",
  address: ["Musterstraße 1", "10115 Berlin"],
  country: "DE",
  vatId: "DE123456789",
  email: "help@s.example",
};
const buyer: Buyer = {
  accountName: "acme",
  email: "ada@example.com",
  details: {
    name: "Ελένη Жанна Šťastná",
    line1: "Οδός Ερμού 15",
    line2: "",
    postalCode: "10563",
    city: "Αθήνα",
    country: "GR",
    vatId: "EL123456789",
  },
};
const invoice: InvoiceDocument = {
  kind: "invoice",
  number: "2026-000123",
  issuedAt: "2026-11-21T10:00:00.000Z",
  seller,
  buyer,
  lines: [
    { label: "Pro, monthly", quantity: 1, amount: eur(5500), isProration: false },
    { label: "Unused time on Starter", quantity: 1, amount: eur(-1830), isProration: true },
  ],
  tax: { name: "VAT", ratePercent: 19, amount: eur(697), inclusive: false },
  total: eur(4367),
  reverseCharge: false,
};
const paid: Standing = {
  status: "paid",
  received: 4367,
  last: { at: new Date("2026-11-21T10:00:03Z"), brand: "visa", lastFour: "4242" },
  corrections: [],
};
const unpaid = (status: Standing["status"]): Standing => ({ status, received: 0, last: null, corrections: [] });

const draw = (changes: Partial<InvoiceDocument> = {}, standing = paid) => buffer(drawInvoice({ ...invoice, ...changes }, standing));

test("the same invoice produces the same file, byte for byte", async () => {
  expect(await draw()).toEqual(await draw());
});

test("an invoice is a PDF with our own fonts, small enough for a mail", async () => {
  const pdf = await draw();
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect(pdf.length).toBeLessThan(60_000);
  expect(pdf.toString("latin1")).toMatch(/\/FontFile2/);
  expect(pdf.toString("latin1")).not.toMatch(/\/BaseFont \/Helvetica/);
});

test.each([
  [1, 1],
  [60, 4],
])("%i lines take %i pages", async (count, pages) => {
  const lines = Array.from({ length: count }, (_, index) => ({
    label: `Line ${index}, with words enough to need a second line of text in its column`,
    quantity: 1,
    amount: eur(100),
    isProration: false,
  }));
  const text = (await draw({ lines })).toString("latin1");
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(pages);
});

test("every letter of a Greek, Cyrillic or Czech name has a glyph", async () => {
  const text = pdfText(await draw());
  for (const word of ["Ελένη", "Жанна", "Šťastná", "Αθήνα", "Musterstraße"]) expect(text).toContain(word);
});

const drawFor = (details: Partial<Buyer["details"]>) => draw({ buyer: { ...buyer, details: { ...buyer.details, ...details } } });
const reversed = (text: string) =>
  [...new Intl.Segmenter().segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join("");

test.each([
  ["mixed", { name: "株式会社テスト", line1: "شارع الملك فهد 12", line2: "ул. Ленина 5 · Łódź · Đặng", city: "東京 서울", country: "JP" }],
  ["Chinese", { name: "北京示例科技有限公司", line1: "（中国）", city: "臺北市 龘" }],
  ["Japanese", { name: "株式会社サンプル・テクノロジーズ", line1: "「十階」 葛\u{e0100}城", country: "JP" }],
  ["Korean", { name: "주식회사 예시 (대한민국)" }],
  ["Arabic", { name: "شركة الأمل للتجارة", line1: "مُحَمَّد لا إله Acme GmbH ٢٠٢٦" }],
  ["Hebrew", { name: "חברת הדוגמה", line1: "שָׁלוֹם Acme Ltd" }],
  ["Thai and Lao", { name: "บริษัท ตัวอย่าง จำกัด น้ำ", line1: "ບໍລິສັດ ນໍ້າ" }],
  ["Indian", { name: "उदाहरण प्रौद्योगिकी क्ष्मी", line1: "প্রতিষ্ঠান স্ত্রী", line2: "ઉદાહરણ કંપની", city: "ਉਦਾਹਰਣ" }],
  ["southern Indian", { name: "உதாரணம் கொ", line1: "క్ష్మి స్త్రీ", line2: "ಸಂಸ್ಥೆ", city: "കമ്പനി" }],
  ["Sinhala, Khmer and Burmese", { name: "ශ්\u200dරී ලංකා", line1: "ក្រុមហ៊ុន ភ្នំពេញ", line2: "ကုမ္ပဏီ မြန်မာ" }],
  ["Georgian, Armenian and Ethiopic", { name: "საქართველო", line1: "Հայաստան", line2: "ኢትዮጵያ" }],
])("%s names are printed with a glyph for each letter, can be copied, and give the same file each time", async (_what, details) => {
  const pdf = await drawFor(details);
  const copied = pdfText(pdf);
  const words = Object.entries(details).flatMap(([field, text]) => (field === "country" ? [] : text.split(/[\s()]+/).filter(Boolean)));
  // From the right, as it is seen; readers turn it around.
  for (const word of words)
    expect(copied).toContain(/\p{scx=Arabic}|\p{scx=Hebrew}/u.test(word) && !/\p{Nd}/u.test(word) ? reversed(word) : word);
  expect(words.filter((word) => !canPrint(word))).toEqual([]);
  expect(await drawFor(details)).toEqual(pdf);
});

test("brackets and digits in a text from the right are copied as they are seen", async () => {
  expect(pdfText(await drawFor({ name: "חברה (2026) Acme (UK)" })).replaceAll("\n", "")).toContain("Acme (UK) (2026)");
});

test("what one invoice prints does not change the letters of the next", async () => {
  const before = await drawFor({ name: "Zoe" });
  await drawFor({ name: "ö Ł é ệ (שלום)" });
  expect(await drawFor({ name: "Zoe" })).toEqual(before);
});

test("a line break in an old document prints no second fact, and a line that is too long continues indented", async () => {
  const text = pdfText(await drawFor({ name: "A\nVAT ID ATU12345678" }));
  expect(text).toContain("A VAT ID ATU12345678");
  const long = await drawFor({ line1: "A street whose name is so long that it ends on another line, VAT ID ATU12345678" });
  const starts = [...inflated(long).matchAll(/^1 0 0 1 (\d+) [\d.]+ Tm\n\/F\d+ 9\.5 Tf/gm)].map(([, x]) => Number(x));
  expect(starts).toContain(306);
  expect(starts).toContain(314);
});

test("emoji, which have no glyphs, are left out of a name, and refused in billing details with what else has none", async () => {
  expect(pdfText(await drawFor({ name: "Rocket 🚀 Ltd." }))).toContain("Rocket Ltd.");
  for (const text of ["Rocket 🚀", "𠮷野家", "Ꭰ"]) expect(canPrint(text)).toBe(false);
});

test("an invoice shows number, date, seller, buyer, lines, tax and total, and how it was paid", async () => {
  const text = pdfText(await draw());
  for (const words of [
    "2026-000123",
    "21 November 2026",
    "Slipway Example GmbH",
    "DE123456789",
    "EL123456789",
    "Unused time on Starter",
    "-€18.30",
    "€36.70",
    "VAT 19 %",
    "€6.97",
    "€43.67",
    "Visa ending in 4242",
  ])
    expect(text).toContain(words);
  expect(text).not.toContain("Reverse charge");
});

test("an invoice issued in German is German throughout: words, amounts, days, and the sentences that are kept in English", async () => {
  const facts = {
    language: "de" as const,
    subject: "Upgrade to Pro",
    servicePeriod: { from: "2026-11-21T10:00:00.000Z", to: "2026-12-05T09:00:00.000Z" },
  };
  const text = pdfText(await draw(facts)).replaceAll("\u00a0", " ");
  for (const words of [
    "Rechnung",
    "Upgrade auf Pro",
    "21. November 2026 – 5. Dezember 2026",
    "Griechenland",
    "USt-IdNr. EL123456789",
    "Pro, monatlich",
    "Nicht genutzte Zeit von Starter",
    "-18,30 €",
    "USt. 19 %",
    "43,67 € bezahlt am 21. November 2026",
    "Visa mit der Endung 4242",
    "Seite 1 von 1",
  ])
    expect(text).toContain(words);
  expect(text).not.toMatch(/\b(Invoice|Amount|Total|Paid|VAT|monthly|from|the)\b/);
  const note = pdfText(await draw({ ...facts, kind: "credit-note", because: "refunded", corrects: "2026-000100", reverseCharge: true }));
  for (const words of ["Gutschrift", "Dieser Betrag der Rechnung 2026-000100 wurde", "Steuerschuldnerschaft des Leistungsempfängers"])
    expect(note).toContain(words);
});

test("an invoice says what it is for, the time it covers, and its current status", async () => {
  const facts = { subject: "Upgrade to Pro", servicePeriod: { from: "2026-11-21T10:00:00.000Z", to: "2026-12-05T09:00:00.000Z" } };
  const text = pdfText(await draw(facts));
  for (const words of ["Upgrade to Pro", "21 November 2026 – 5 December 2026", "Paid", "Musterstraße 1", "10115 Berlin", "Germany"])
    expect(text).toContain(words);
  const open = pdfText(await draw(facts, unpaid("open")));
  expect(open).toContain("Open");
  expect(open).not.toContain("Paid on");
  const cancelled = pdfText(await draw(facts, unpaid("void")));
  expect(cancelled).toContain("Void");
  expect(cancelled).toContain("This invoice was cancelled. Nothing is owed.");
});

test("an invoice says above its lines how much it is, and whether it is paid", async () => {
  expect(pdfText(await draw())).toContain("€43.67 paid on 21 November 2026");
  expect(pdfText(await draw({ creditUsed: eur(4367) }, unpaid("paid")))).toContain("€43.67 paid\n");
  expect(pdfText(await draw({}, unpaid("open")))).toContain("€43.67 due");
  expect(pdfText(await draw({}, unpaid("void")))).not.toMatch(/€43\.67 (paid|due)/);
});

test("amounts from credit and from a card are shown separately", async () => {
  const half = pdfText(await draw({ creditUsed: eur(2000) }, { ...paid, received: 2367 }));
  for (const words of ["Paid from your credit", "-€20.00", "-€23.67", "Amount due"]) expect(half).toContain(words);
  const whole = pdfText(await draw({ creditUsed: eur(4367) }, unpaid("paid")));
  for (const words of ["Paid from your credit", "€0.00", "Paid in full from your credit. No card was charged."])
    expect(whole).toContain(words);
  expect(pdfText(await draw())).not.toContain("Paid from your credit");
});

test("any other deduction by the provider is a line, so that the sums add up", async () => {
  const text = pdfText(await draw({ total: eur(4000) }));
  expect(text).toContain("Discount");
  expect(text).toContain("-€3.67");
});

test("an invoice that was cancelled or refunded, even partly, names the credit note", async () => {
  const corrections = [{ number: "2026-000130", total: eur(-4367) }];
  const cancelled = pdfText(await draw({}, { ...unpaid("void"), corrections }));
  for (const words of ["Void", "This invoice was cancelled. Nothing is owed.", "Corrected by credit note 2026-000130 for €43.67."])
    expect(cancelled).toContain(words);
  expect(cancelled).not.toContain("Amount due");
  const half = pdfText(await draw({}, { ...paid, corrections: [{ number: "2026-000131", total: eur(-1000) }] }));
  for (const words of ["Corrected by credit note 2026-000131 for €10.00.", "Visa ending in 4242"]) expect(half).toContain(words);
});

test("an open invoice shows what is due, and one paid without a card does not mention a card", async () => {
  const open = pdfText(await draw({ creditUsed: eur(1000) }, unpaid("open")));
  for (const words of ["Amount due", "€33.67", "-€10.00"]) expect(open).toContain(words);
  const transferred = pdfText(await draw({ creditUsed: eur(0) }, unpaid("paid")));
  for (const words of ["Paid by other means", "-€43.67"]) expect(transferred).toContain(words);
});

test("a tax with several rates is shown without a rate", async () => {
  expect(pdfText(await draw({ tax: { name: "Tax", ratePercent: null, amount: eur(697), inclusive: false } }))).not.toContain("%");
});

test("a price that includes tax says how much of it is tax", async () => {
  const text = pdfText(await draw({ tax: { name: "VAT", ratePercent: 19, amount: eur(586), inclusive: true }, total: eur(3670) }));
  expect(text).toContain("including VAT 19 %");
  expect(text).toContain("€30.84");
});

test("a refund is a credit note, and a reverse charge is stated", async () => {
  const text = pdfText(await draw({ kind: "credit-note", total: eur(-500), reverseCharge: true, corrects: "2026-000122" }, unpaid("paid")));
  expect(text).toContain("Credit note");
  expect(text).toContain("2026-000122");
  expect(text).toContain("Issued");
  expect(text).toContain("Reverse charge");
  expect(text).not.toContain("Paid on");
});

const noTax = null;
const someTax = invoice.tax;
test.each<[string, Seller, Buyer["details"], InvoiceDocument["tax"], boolean]>([
  ["businesses of two countries of the EU, untaxed", seller, buyer.details, noTax, true],
  ["the same, taxed", seller, buyer.details, someTax, false],
  ["one country", seller, { ...buyer.details, country: "DE" }, noTax, false],
  ["a buyer without a VAT id", seller, { ...buyer.details, vatId: "" }, noTax, false],
  ["a seller without a VAT id", { ...seller, vatId: "" }, buyer.details, noTax, false],
  ["a buyer outside of the EU", seller, { ...buyer.details, country: "CH" }, noTax, false],
])("reverse charge: %s", (_case, from, details, tax, expected) => {
  expect(isReverseCharge(from, { ...buyer, details }, tax)).toBe(expected);
});
