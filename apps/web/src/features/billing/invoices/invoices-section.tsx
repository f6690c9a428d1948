import { useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { invoicePath } from "../../../lib/paths.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { transactionsQuery, type Transaction } from "../billing-queries.ts";
import { shortDay } from "../dates.ts";
import { downloadInvoice } from "./download-invoice.ts";
import { HistorySection } from "./history-section.tsx";
import { InvoiceMark } from "./invoice-mark.tsx";
import { formatMoney } from "../format-price.ts";
import { said } from "../../../words/sentences.ts";

/** What was invoiced, newest first, each as a page and as PDF. */
export function InvoicesSection() {
  const [error, setError] = useState<unknown>(null);
  return (
    <HistorySection
      title={t("billing.invoices.title")}
      query={useQuery(transactionsQuery)}
      failed={t("billing.invoices.notLoaded")}
      empty={{ icon: <ReceiptText />, title: t("billing.invoices.none"), text: t("billing.invoices.noneText") }}
      notice={error ? <ErrorNotice error={error} title={t("billing.invoices.downloadFailed")} className="mb-4" /> : null}
      columns={[
        { label: t("billing.columns.description"), cell: (invoice) => <Description invoice={invoice} /> },
        { label: t("billing.columns.date"), cell: ({ at }) => <span className="tabular-nums">{shortDay(at)}</span> },
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
