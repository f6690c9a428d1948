import { useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { invoicePath } from "../../../lib/paths.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { paymentsQuery, transactionsQuery, type Payment, type Transaction } from "../billing-queries.ts";
import { shortDay } from "../dates.ts";
import { downloadInvoice } from "./download-invoice.ts";
import { HistorySection } from "./history-section.tsx";
import { PaidWith } from "./payment-columns.tsx";
import { InvoiceMark } from "./invoice-mark.tsx";
import { formatMoney } from "../format-price.ts";
import { said } from "../../../words/sentences.ts";

/** What was invoiced, newest first, each as a page and as PDF, with the card that paid it and the attempts that failed. */
export function InvoicesSection() {
  const [error, setError] = useState<unknown>(null);
  const payments = useQuery(paymentsQuery).data ?? [];
  const paymentsOf = (id: string) => payments.filter(({ transactionId }) => transactionId === id);
  return (
    <HistorySection
      title={t("billing.invoices.title")}
      lead={t("billing.invoices.lead")}
      query={useQuery(transactionsQuery)}
      failed={t("billing.invoices.notLoaded")}
      empty={{ icon: <ReceiptText />, title: t("billing.invoices.none"), text: t("billing.invoices.noneText") }}
      notice={error ? <ErrorNotice error={error} title={t("billing.invoices.downloadFailed")} className="mb-4" /> : null}
      columns={[
        { label: t("billing.columns.description"), cell: (invoice) => <Description invoice={invoice} /> },
        { label: t("billing.columns.date"), cell: ({ at }) => <span className="tabular-nums">{shortDay(at)}</span> },
        { label: t("billing.columns.method"), cell: (invoice) => <Method payments={paymentsOf(invoice.id)} /> },
        { label: t("billing.columns.status"), cell: (invoice) => <InvoiceMark invoice={invoice} /> },
        { label: t("billing.columns.amount"), cell: (invoice) => <Amount invoice={invoice} />, isNumber: true },
        {
          label: t("billing.columns.file"),
          isLabelHidden: true,
          isNumber: true,
          cell: (invoice) => (invoice.hasInvoice ? <DownloadButton invoice={invoice} onError={setError} /> : null),
        },
      ]}
    />
  );
}

interface OfInvoice {
  invoice: Transaction;
}

function Description({ invoice: { id, description, number, hasInvoice } }: OfInvoice) {
  return (
    <>
      {hasInvoice ? (
        <Link to={invoicePath(id)} className="link">
          {said(description)}
        </Link>
      ) : (
        said(description)
      )}
      {number ? <span className="block font-normal text-ink-soft tabular-nums">{number}</span> : null}
    </>
  );
}

/** How it was paid; if it was not, the last attempt and why it failed. All attempts are on the invoice's page. */
function Method({ payments }: { payments: readonly Payment[] }) {
  const shown = payments.find(({ status }) => status !== "failed") ?? payments[0];
  const failed = payments.filter(({ status }) => status === "failed").length;
  if (!shown) return null;
  return (
    <span className="block">
      {shown.brand ? <PaidWith brand={shown.brand} lastFour={shown.lastFour} /> : null}
      {shown.status === "failed" && shown.reason ? (
        <span className="mt-0.5 block text-danger max-sm:text-right">{said(shown.reason)}</span>
      ) : null}
      {failed > 0 ? (
        <span className="mt-0.5 block text-[0.8125rem] text-ink-soft max-sm:text-right">
          {t("billing.payments.failedTries", { count: failed })}
        </span>
      ) : null}
    </span>
  );
}

function Amount({ invoice: { total, tax } }: OfInvoice) {
  return (
    <span>
      <span className="font-medium">{formatMoney(total)}</span>
      {tax.amount !== 0 ? (
        <span className="block text-[0.8125rem] text-ink-soft">{t("billing.invoices.taxOf", { amount: formatMoney(tax) })}</span>
      ) : null}
    </span>
  );
}

function DownloadButton({ invoice: { id, number, at }, onError }: OfInvoice & { onError: (error: unknown) => void }) {
  const download = useAction(async () => {
    onError(null);
    await downloadInvoice(id).catch(onError);
  });
  return (
    <Button
      tone="quiet"
      pending={download.pending}
      pendingText={t("billing.invoices.downloading")}
      onClick={() => void download.run()}
      aria-label={t("billing.invoices.downloadSaid", { number: number ?? shortDay(at) })}
      className="max-sm:-ml-4 sm:-my-2 sm:-mr-4"
    >
      <Download className="size-4" aria-hidden="true" />
      {t("billing.invoices.download")}
    </Button>
  );
}
