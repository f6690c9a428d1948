/** An invoice as on paper: the buyer, the items, the period and the sum. Days are in UTC, like the numbers of invoices. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { InvoiceSheet as Sheet } from "#contract/billing/invoice.ts";
import { invoicePath } from "../../../lib/paths.ts";
import { Card } from "../../../ui/card.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { said } from "../../../words/sentences.ts";
import { countryName } from "../details/country-name.ts";
import { formatMoney } from "../format-price.ts";
import { documentDay } from "./document-day.ts";
import { InvoiceMark } from "./invoice-mark.tsx";
import { InvoiceLines, taxText } from "./invoice-lines.tsx";
import { InvoiceTotals } from "./invoice-totals.tsx";
import { headlineOf } from "./say-invoice.ts";
import { t } from "./words.ts";

type Document = NonNullable<Sheet["document"]>;

export function InvoiceSheet({ invoice }: { invoice: Sheet }) {
  const { document } = invoice;
  return (
    <Card
      label={t(`invoice.titles.${invoice.kind}`)}
      className="space-y-8 px-5 py-6 sm:px-8 sm:py-8 print:border-0 print:p-0 print:shadow-none"
    >
      <Head invoice={invoice} />
      <Facts invoice={invoice} />
      {document ? (
        <>
          <Parties document={document} />
          <InvoiceLines document={document} />
        </>
      ) : (
        <p className="text-sm text-ink-soft">{t(invoice.number ? "invoice.sold" : "invoice.waiting")}</p>
      )}
      <InvoiceTotals invoice={invoice} />
      <Notes invoice={invoice} />
    </Card>
  );
}

/** What most readers look for: how much, and whether it is paid. */
function Head({ invoice }: { invoice: Sheet }) {
  const seller = invoice.document?.seller.name;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line pb-6">
      <div className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        {seller ? <p className="text-sm text-ink-soft">{seller}</p> : null}
        <p className="text-xl font-semibold tracking-tight text-balance tabular-nums sm:text-2xl">{headlineOf(invoice)}</p>
      </div>
      <InvoiceMark invoice={invoice} />
    </div>
  );
}

function Facts({ invoice: { number, at, description, total, kind, corrects, document } }: { invoice: Sheet }) {
  const period = document?.servicePeriod;
  return (
    <dl className="grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
      {number ? <Fact name={t("invoice.facts.number")}>{number}</Fact> : null}
      <Fact name={t("invoice.facts.date")}>{documentDay(at)}</Fact>
      <Fact name={t("invoice.facts.subject")}>{said(description)}</Fact>
      {period ? (
        <Fact name={t("invoice.facts.period")}>
          {t("invoice.facts.periodValue", { from: documentDay(period.from), to: documentDay(period.to) })}
        </Fact>
      ) : null}
      {corrects ? (
        <Fact name={t(`invoice.facts.corrects.${kind}`)}>
          {corrects.id ? (
            <Link to={invoicePath(corrects.id)} className="link">
              {corrects.number}
            </Link>
          ) : (
            corrects.number
          )}
        </Fact>
      ) : null}
      {document ? <Fact name={t("invoice.facts.account")}>{document.buyer.accountName}</Fact> : null}
      {/* Currency signs are ambiguous: twenty countries use a dollar sign. */}
      <Fact name={t("invoice.facts.currency")}>{total.currency}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
      <dd className="[overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </div>
  );
}

function Parties({ document: { seller, buyer } }: { document: Document }) {
  const { name, line1, line2, postalCode, city, country, vatId } = buyer.details;
  const place = [postalCode, city].filter(Boolean).join(" ");
  return (
    <div className="grid gap-8 text-sm sm:grid-cols-2">
      <Party
        label={t("invoice.from")}
        name={seller.name}
        lines={[...seller.address, countryText(seller.country), vatText(seller.vatId), seller.email]}
      />
      <Party label={t("invoice.to")} name={name} lines={[line1, line2, place, countryText(country), vatText(vatId), buyer.email]} />
    </div>
  );
}

const countryText = (code: string): string => (/^[A-Z]{2}$/.test(code) ? countryName(code) : code);
const vatText = (id: string): string => (id ? t("invoice.vatId", { id }) : "");

function Party({ label, name, lines }: { label: string; name: string; lines: readonly string[] }) {
  return (
    <div className="min-w-0 [overflow-wrap:anywhere]">
      <h2 className="text-[0.8125rem] text-ink-soft">{label}</h2>
      <p className="font-semibold">{name}</p>
      {lines.filter(Boolean).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

function Notes({ invoice }: { invoice: Sheet }) {
  const notes = notesOf(invoice);
  return (
    <div className={classNames("space-y-1.5 border-t border-line pt-5 text-sm text-ink-soft", notes.length === 0 && "print:hidden")}>
      <h2 className="sr-only">{t("invoice.notes")}</h2>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p className="print:hidden">{t("invoice.original")}</p>
    </div>
  );
}

function notesOf({ kind, document, corrects }: Sheet): string[] {
  if (!document) return [];
  const { reverseCharge, vatCheck, taxInSellerCurrency, tax, because } = document;
  const notes: string[] = [];
  if (reverseCharge) notes.push(t("invoice.reverseCharge"));
  if (reverseCharge && vatCheck) {
    const date = documentDay(vatCheck.checkedAt);
    const { reference } = vatCheck;
    notes.push(reference ? t("invoice.vatConfirmedAs", { date, reference }) : t("invoice.vatConfirmed", { date }));
  }
  if (taxInSellerCurrency) {
    const { amount, rate, day } = taxInSellerCurrency;
    notes.push(t("invoice.taxInOwn", { tax: tax ? taxText(tax) : "", amount: formatMoney(amount), rate, date: documentDay(day) }));
  }
  if (kind !== "invoice")
    notes.push(because && corrects ? t(`invoice.because.${because}`, { number: corrects.number }) : t("invoice.because.other"));
  return notes;
}
