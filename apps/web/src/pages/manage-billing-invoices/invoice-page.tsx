import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Download, FileQuestionMark, Printer } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { InvoiceSheet as Sheet } from "#contract/billing/invoice.ts";
import { invoiceQuery } from "../../features/billing/billing-queries.ts";
import { formatMoney } from "../../features/billing/format-price.ts";
import { downloadInvoice } from "../../features/billing/invoices/download-invoice.ts";
import { documentDay } from "../../features/billing/invoices/document-day.ts";
import { InvoiceSheet } from "../../features/billing/invoices/invoice-sheet.tsx";
import { paymentColumns } from "../../features/billing/invoices/payment-columns.tsx";
import { unchargedText } from "../../features/billing/invoices/say-invoice.ts";
import { t } from "../../features/billing/invoices/words.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { invoicePath, paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Loaded } from "../../ui/notices/loaded.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Place } from "../../ui/place.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";

export const handle: PageHandle = { title: () => t("invoice.page") };

/** One invoice, credit note or debit note, with its payments. */
export function Component() {
  const { id = "" } = useParams();
  const query = useQuery(invoiceQuery(id));
  const [downloadError, setDownloadError] = useState<unknown>(null);
  return (
    <div className="space-y-3">
      <Link to={paths.billing} className="link inline-flex items-center gap-1.5 text-sm print:hidden">
        <ArrowLeft className="size-4" aria-hidden="true" />
        {t("invoice.back")}
      </Link>
      <Place
        title={query.data ? titleOf(query.data) : t("invoice.page")}
        action={query.data ? <Actions invoice={query.data} onError={setDownloadError} /> : null}
      >
        {downloadError ? <ErrorNotice error={downloadError} title={t("invoice.downloadFailed")} /> : null}
        {hasCode(query.error, "invoice_not_found") && !query.data ? (
          <Missing />
        ) : (
          <Loaded query={query} failed={t("invoice.notLoaded")} lines={12}>
            {(invoice) => <Invoice invoice={invoice} />}
          </Loaded>
        )}
      </Place>
    </div>
  );
}

const titleOf = ({ kind, number }: Sheet): string => {
  const title = t(`invoice.titles.${kind}`);
  return number ? t("invoice.titled", { title, number }) : title;
};

function Missing() {
  return (
    <Card>
      <EmptyState
        icon={<FileQuestionMark />}
        title={t("invoice.missing")}
        action={
          <ButtonLink to={paths.billing} tone="plain">
            {t("invoice.toBilling")}
          </ButtonLink>
        }
      >
        {t("invoice.missingText")}
      </EmptyState>
    </Card>
  );
}

function Invoice({ invoice }: { invoice: Sheet }) {
  const isOpen = invoice.kind === "invoice" && invoice.status === "open";
  return (
    <>
      {isOpen ? (
        <div className="print:hidden">
          <Notice tone="info" title={t("invoice.payText")} action={<ButtonLink to={paths.billing}>{t("invoice.pay")}</ButtonLink>} />
        </div>
      ) : null}
      <InvoiceSheet invoice={invoice} />
      {invoice.kind === "invoice" ? <Payments invoice={invoice} /> : null}
      {invoice.corrections.length > 0 ? <Corrections invoice={invoice} /> : null}
    </>
  );
}

function Actions({ invoice, onError }: { invoice: Sheet; onError: (error: unknown) => void }) {
  const download = useAction(async () => {
    onError(null);
    await downloadInvoice(invoice.id).catch(onError);
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button tone="plain" onClick={() => window.print()}>
        <Printer className="size-4" aria-hidden="true" />
        {t("invoice.print")}
      </Button>
      {invoice.number ? (
        <Button tone="plain" pending={download.pending} pendingText={t("invoice.downloading")} onClick={() => void download.run()}>
          <Download className="size-4" aria-hidden="true" />
          {t("invoice.download")}
        </Button>
      ) : null}
    </div>
  );
}

function Payments({ invoice }: { invoice: Sheet }) {
  const { payments } = invoice;
  const uncharged = unchargedText(invoice);
  if (payments.length === 0 && uncharged === null) return null;
  return (
    <Section title={t("invoice.payments")}>
      {payments.length > 0 ? (
        <Table label={t("invoice.payments")} columns={paymentColumns()} rows={payments} keyOf={({ id }) => id} className="-my-2.5" />
      ) : (
        <p className="text-sm text-ink-soft">{uncharged}</p>
      )}
    </Section>
  );
}

function Corrections({ invoice: { corrections } }: { invoice: Sheet }) {
  return (
    <Section title={t("invoice.corrections")}>
      <ul className="-my-3 divide-y divide-line">
        {corrections.map(({ id, number, kind, at, total }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 text-sm tabular-nums">
            <span>
              <Link to={invoicePath(id)} className="link">
                {t("invoice.titled", { title: t(`invoice.titles.${kind}`), number: number ?? "" })}
              </Link>
              <span className="block text-ink-soft">{documentDay(at)}</span>
            </span>
            <span className="font-medium">{formatMoney(total)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
