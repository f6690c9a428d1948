/**
 * The invoice as data: EN 16931 in the syntax of the UN/CEFACT Cross Industry Invoice, as ZUGFeRD 2 and Factur-X 1 embed it in a PDF. Since
 * 2025 businesses in Germany must accept such invoices, and from 2027 and 2028 they must issue them (§14 and §27 UStG). Rules such as
 * BR-O-02 are the standard's own (EN 16931-1:2017, chapter 6.4).
 */
import { asOneLine } from "#contract/api/printable-text.ts";
import { digitsOf } from "#contract/billing/money/currency-digits.ts";
import { plainAmount } from "#contract/billing/money/plain-amount.ts";
import { euCountries } from "#contract/billing/vat-id.ts";
import type { Standing } from "./draw-invoice.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { sumsOf } from "./invoice-sums.ts";
import { tongueOf, type Tongue } from "./invoice-tongue.ts";

/** As readers of ZUGFeRD and Factur-X look for it. */
export const eInvoiceName = "factur-x.xml";

/** Standard rate; reverse charge; outside of VAT. */
interface VatCategory {
  code: "S" | "AE" | "O";
  rate: number | null;
  reason: { code: string; text: string } | null;
}

/**
 * The XML; null where the invoice has no such form: the seller is outside of the EU, the buyer's country is unknown, or why and at which
 * rate tax was charged or not. A wrong statement would be worse than none.
 */
export function eInvoiceOf(document: InvoiceDocument, standing: Standing): string | null {
  const { seller, buyer, total } = document;
  const category = vatCategoryOf(document);
  if (!category || !euCountries.has(seller.country) || !buyer.details.country || !buyer.details.name || digitsOf(total.currency) > 2)
    return null;
  const tongue = tongueOf(document.language ?? "en");
  const facts = { document, standing, category, tongue, money: writerOf(total.currency, document.kind === "credit-note" ? -1 : 1) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
    element(
      "rsm:ExchangedDocumentContext",
      element("ram:GuidelineSpecifiedDocumentContextParameter", text("ram:ID", "urn:cen.eu:en16931:2017")),
    ),
    headOf(facts),
    transactionOf(facts),
  )}\n`;
}

interface Facts {
  document: InvoiceDocument;
  standing: Standing;
  category: VatCategory;
  tongue: Tongue;
  /** An amount in minor units as the document's currency has it; a credit note states what is credited, above zero. */
  money: (minor: number) => string;
}

function vatCategoryOf({ seller, buyer, tax, reverseCharge, total }: InvoiceDocument): VatCategory | null {
  if (tax && tax.amount.amount !== 0)
    return tax.ratePercent !== null &&
      tax.ratePercent > 0 &&
      seller.vatId !== "" &&
      Math.sign(tax.amount.amount) === Math.sign(total.amount)
      ? { code: "S", rate: tax.ratePercent, reason: null }
      : null;
  if (reverseCharge) return { code: "AE", rate: 0, reason: { code: "VATEX-EU-AE", text: "Reverse charge" } };
  if (buyer.details.country && !euCountries.has(buyer.details.country))
    return { code: "O", rate: null, reason: { code: "VATEX-EU-O", text: "Services outside scope of tax" } };
  return null;
}

// UNTDID 1001.
const typeCodes = { invoice: "380", "credit-note": "381", "debit-note": "383" } as const;

function headOf({ document, category, tongue }: Facts): string {
  return element(
    "rsm:ExchangedDocument",
    text("ram:ID", document.number),
    text("ram:TypeCode", typeCodes[document.kind]),
    element("ram:IssueDateTime", day("udt:DateTimeString", document.issuedAt)),
    ...(document.subject ? [element("ram:IncludedNote", text("ram:Content", tongue.said(document.subject)))] : []),
    ...(category.code === "AE" ? [element("ram:IncludedNote", text("ram:Content", tongue.words.reverseCharge))] : []),
  );
}

function transactionOf(facts: Facts): string {
  const { document, category, tongue, money } = facts;
  const { seller, buyer, servicePeriod } = document;
  const { nets, other } = netAmountsOf(document);
  const lines = document.lines.map(({ label, quantity, isProration }, index) =>
    lineOf({
      id: index + 1,
      label: tongue.said(label),
      quantity: isProration ? 1 : quantity,
      net: nets[index]!,
      category,
      money,
      kind: document.kind,
    }),
  );
  return element(
    "rsm:SupplyChainTradeTransaction",
    ...lines,
    element("ram:ApplicableHeaderTradeAgreement", sellerOf(seller, category), buyerOf(buyer, category)),
    element(
      "ram:ApplicableHeaderTradeDelivery",
      // Where a period is given, it says when the service was delivered.
      servicePeriod
        ? ""
        : element("ram:ActualDeliverySupplyChainEvent", element("ram:OccurrenceDateTime", day("udt:DateTimeString", document.issuedAt))),
    ),
    settlementOf(facts, other),
  );
}

interface Line {
  id: number;
  label: string;
  quantity: number;
  net: number;
  category: VatCategory;
  money: Facts["money"];
  kind: InvoiceDocument["kind"];
}

/** A price is never negative (BR-27): the quantity has the sign. It is the price of all of them, so that nothing is rounded. */
function lineOf({ id, label, quantity, net, category, money, kind }: Line): string {
  const count = Math.max(1, Math.abs(quantity));
  const sign = (kind === "credit-note" ? -net : net) < 0 ? -1 : 1;
  const price = money(Math.abs(net) * (kind === "credit-note" ? -1 : 1));
  return element(
    "ram:IncludedSupplyChainTradeLineItem",
    element("ram:AssociatedDocumentLineDocument", text("ram:LineID", String(id))),
    element("ram:SpecifiedTradeProduct", text("ram:Name", label || "-")),
    element(
      "ram:SpecifiedLineTradeAgreement",
      element(
        "ram:NetPriceProductTradePrice",
        text("ram:ChargeAmount", price),
        count === 1 ? "" : text("ram:BasisQuantity", String(count), 'unitCode="C62"'),
      ),
    ),
    element("ram:SpecifiedLineTradeDelivery", text("ram:BilledQuantity", String(sign * count), 'unitCode="C62"')),
    element(
      "ram:SpecifiedLineTradeSettlement",
      element(
        "ram:ApplicableTradeTax",
        text("ram:TypeCode", "VAT"),
        text("ram:CategoryCode", category.code),
        category.rate === null ? "" : text("ram:RateApplicablePercent", String(category.rate)),
      ),
      element("ram:SpecifiedTradeSettlementLineMonetarySummation", text("ram:LineTotalAmount", money(net))),
    ),
  );
}

const mail = (address: string): string =>
  address ? element("ram:URIUniversalCommunication", text("ram:URIID", address, 'schemeID="EM"')) : "";

const vatIdOf = (vatId: string, { code }: VatCategory): string =>
  // BR-O-02: no VAT ids on what is outside of VAT.
  vatId === "" || code === "O" ? "" : element("ram:SpecifiedTaxRegistration", text("ram:ID", vatId, 'schemeID="VA"'));

function sellerOf(seller: InvoiceDocument["seller"], category: VatCategory): string {
  const place = /^(?<postcode>\S*\d\S*) (?<city>.+)$/.exec(seller.address.at(-1) ?? "")?.groups;
  const street = place ? seller.address.slice(0, -1) : seller.address;
  const [one = "", two = "", ...more] = street;
  return element(
    "ram:SellerTradeParty",
    // BR-CO-26: an id that is no VAT id, where that may not be given.
    category.code === "O" ? text("ram:ID", seller.vatId || seller.email) : "",
    text("ram:Name", seller.name),
    element(
      "ram:PostalTradeAddress",
      optional("ram:PostcodeCode", place?.["postcode"]),
      optional("ram:LineOne", one),
      optional("ram:LineTwo", two),
      optional("ram:LineThree", more.join(", ")),
      optional("ram:CityName", place?.["city"]),
      text("ram:CountryID", seller.country),
    ),
    mail(seller.email),
    vatIdOf(seller.vatId, category),
  );
}

function buyerOf({ accountName, email, details }: InvoiceDocument["buyer"], category: VatCategory): string {
  return element(
    "ram:BuyerTradeParty",
    optional("ram:ID", accountName),
    text("ram:Name", details.name),
    element(
      "ram:PostalTradeAddress",
      optional("ram:PostcodeCode", details.postalCode),
      optional("ram:LineOne", details.line1),
      optional("ram:LineTwo", details.line2),
      optional("ram:CityName", details.city),
      text("ram:CountryID", details.country),
    ),
    mail(email),
    vatIdOf(details.vatId, category),
  );
}

function settlementOf({ document, standing, category, tongue, money }: Facts, other: number): string {
  const { total, tax, taxInSellerCurrency: converted, servicePeriod } = document;
  const taxed = tax?.amount.amount ?? 0;
  const net = total.amount - taxed;
  const open = openOf(document, standing);
  const currency = (code: string) => `currencyID="${code}"`;
  const breakdown = element(
    "ram:ApplicableTradeTax",
    text("ram:CalculatedAmount", money(taxed)),
    text("ram:TypeCode", "VAT"),
    category.reason ? text("ram:ExemptionReason", category.reason.text) : "",
    text("ram:BasisAmount", money(net)),
    text("ram:CategoryCode", category.code),
    category.reason ? text("ram:ExemptionReasonCode", category.reason.code) : "",
    category.rate === null ? "" : text("ram:RateApplicablePercent", String(category.rate)),
  );
  const period = servicePeriod
    ? element(
        "ram:BillingSpecifiedPeriod",
        element("ram:StartDateTime", day("udt:DateTimeString", servicePeriod.from)),
        // Its last day, while ours ends before `to`.
        element(
          "ram:EndDateTime",
          day("udt:DateTimeString", new Date(Math.max(Date.parse(servicePeriod.from), Date.parse(servicePeriod.to) - 1)).toISOString()),
        ),
      )
    : "";
  // A deduction of an invoice, or of a credit note, whose signs are reversed.
  const isAllowance = document.kind === "credit-note" ? other > 0 : other < 0;
  const allowance =
    other === 0
      ? ""
      : element(
          "ram:SpecifiedTradeAllowanceCharge",
          element("ram:ChargeIndicator", text("udt:Indicator", String(!isAllowance))),
          text("ram:ActualAmount", money(isAllowance ? -other : other)),
          text("ram:Reason", isAllowance ? tongue.words.discount : tongue.words.rounding),
          element(
            "ram:CategoryTradeTax",
            text("ram:TypeCode", "VAT"),
            text("ram:CategoryCode", category.code),
            category.rate === null ? "" : text("ram:RateApplicablePercent", String(category.rate)),
          ),
        );
  return element(
    "ram:ApplicableHeaderTradeSettlement",
    converted ? text("ram:TaxCurrencyCode", converted.amount.currency) : "",
    text("ram:InvoiceCurrencyCode", total.currency),
    breakdown,
    period,
    allowance,
    open === 0 ? "" : element("ram:SpecifiedTradePaymentTerms", text("ram:Description", termsOf(document, standing, tongue))),
    element(
      "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
      text("ram:LineTotalAmount", money(net - other)),
      text("ram:ChargeTotalAmount", money(other !== 0 && !isAllowance ? other : 0)),
      text("ram:AllowanceTotalAmount", money(other !== 0 && isAllowance ? -other : 0)),
      text("ram:TaxBasisTotalAmount", money(net)),
      text("ram:TaxTotalAmount", money(taxed), currency(total.currency)),
      converted
        ? text(
            "ram:TaxTotalAmount",
            writerOf(converted.amount.currency, document.kind === "credit-note" ? -1 : 1)(converted.amount.amount),
            currency(converted.amount.currency),
          )
        : "",
      text("ram:GrandTotalAmount", money(total.amount)),
      text("ram:TotalPrepaidAmount", money(total.amount - open)),
      text("ram:DuePayableAmount", money(open)),
    ),
    ...(document.corrects ? document.corrects.split(", ") : []).map((number) =>
      element("ram:InvoiceReferencedDocument", text("ram:IssuerAssignedID", number)),
    ),
  );
}

/** What is still to be paid, or credited. A cancelled invoice and its credit note state the same sum, and cancel each other out. */
function openOf(document: InvoiceDocument, { status, received }: Standing): number {
  if (document.kind === "invoice") return status === "void" ? document.total.amount : sumsOf(document, status, received).open;
  return document.because === "refunded" || document.because === "refund-failed" ? 0 : document.total.amount;
}

function termsOf({ kind, because, corrects }: InvoiceDocument, { status }: Standing, { words }: Tongue): string {
  if (kind !== "invoice") return because && corrects ? words.creditNotes[because](corrects) : words.creditNotes.other;
  return status === "void" ? words.void : words.charged;
}

/**
 * The net amounts of all lines, and of what the provider deducted or added otherwise. Where prices include the tax, each gets its share of the
 * net total; the largest takes what rounding leaves, so that they add up.
 */
function netAmountsOf(document: InvoiceDocument): { nets: number[]; other: number } {
  const { otherwise } = sumsOf(document, "paid", 0);
  const amounts = document.lines.map(({ amount }) => amount.amount);
  const { tax, total } = document;
  if (!tax?.inclusive || tax.amount.amount === 0) return { nets: amounts, other: otherwise };
  const net = total.amount - tax.amount.amount;
  const all = [...amounts, otherwise];
  const shares = all.map((amount) => Math.round((amount * net) / total.amount));
  const left = net - shares.reduce((sum, share) => sum + share, 0);
  const largest = all.reduce((best, amount, index) => (Math.abs(amount) > Math.abs(all[best]!) ? index : best), 0);
  const settled = shares.map((share, index) => (index === largest ? share + left : share));
  return { nets: settled.slice(0, -1), other: settled.at(-1)! };
}

const writerOf =
  (currency: string, sign: 1 | -1) =>
  (minor: number): string =>
    plainAmount({ amount: minor === 0 ? 0 : minor * sign, currency });

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (value: string): string => asOneLine(value).replaceAll(/[&<>"]/g, (character) => escapes[character]!);

/** `opening`: the name, and attributes if it has any. */
const element = (opening: string, ...parts: string[]): string => `<${opening}>${parts.join("")}</${opening.split(" ", 1)[0]}>`;
const text = (name: string, value: string, attributes = ""): string => element(attributes ? `${name} ${attributes}` : name, escaped(value));
const optional = (name: string, value: string | undefined): string => (value ? text(name, value) : "");
/** In UTC, as everywhere on invoices. */
const day = (name: string, iso: string): string => text(name, iso.slice(0, 10).replaceAll("-", ""), 'format="102"');
