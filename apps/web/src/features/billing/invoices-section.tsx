import { useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { useState } from "react";
import { formatMoney } from "#contract/format-money.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { t } from "../../words/words.ts";
import { transactionsQuery, type Transaction } from "./billing-queries.ts";
import { shortDay } from "./dates.ts";
import { downloadInvoice } from "./download-invoice.ts";
import { Section } from "../../ui/section.tsx";
import { Loaded } from "./loaded.tsx";
import { StateMark } from "./state-mark.tsx";

/** A year of monthly invoices would push everything else away. */
const firstShown = 6;

/** What was invoiced, newest first, each as PDF. */
export function InvoicesSection() {
  const query = useQuery(transactionsQuery);
  return (
    <Section title={t("billing.invoices.title")}>
      <Loaded query={query} failed={t("billing.invoices.notLoaded")} lines={4}>
        {(list) =>
          list.length > 0 ? (
            <Invoices list={list} />
          ) : (
            <EmptyState icon={<ReceiptText />} title={t("billing.invoices.none")}>
              {t("billing.invoices.noneText")}
            </EmptyState>
          )
        }
      </Loaded>
    </Section>
  );
}

function Invoices({ list }: { list: readonly Transaction[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? list : list.slice(0, firstShown);
  return (
    <>
      <ul className="-my-3 divide-y divide-line">
        {shown.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </ul>
      {shown.length < list.length ? (
        <Button tone="quiet" onClick={() => setShowsAll(true)} className="mt-4 -ml-4">
          {t("billing.invoices.showAll", { count: list.length })}
        </Button>
      ) : null}
    </>
  );
}

const tones = { paid: "good", open: "waiting", void: "plain", refunded: "plain" } as const;

function InvoiceRow({ invoice: { id, number, at, description, total, tax, status, hasInvoice } }: { invoice: Transaction }) {
  const download = useAction(() => downloadInvoice(id));
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
        <div className="min-w-0 flex-1 basis-36">
          <p className="font-medium [overflow-wrap:anywhere]">{description}</p>
          <p className="text-ink-soft tabular-nums">
            {shortDay(at)}
            {number ? ` · ${number}` : null}
          </p>
        </div>
        <div className="flex items-center gap-x-4 gap-y-1 max-sm:flex-col-reverse max-sm:items-end">
          <StateMark tone={tones[status]}>{t(`billing.invoices.statuses.${status}`)}</StateMark>
          <p className="text-right tabular-nums sm:min-w-24">
            <span className="font-medium">{formatMoney(total)}</span>
            {tax.amount > 0 ? <span className="block text-[0.8125rem] text-ink-soft">{t("billing.invoices.taxOf", { amount: formatMoney(tax) })}</span> : null}
          </p>
        </div>
        <span className="max-sm:w-full sm:w-24">
          {hasInvoice ? (
            <Button
              tone="quiet"
              pending={download.pending}
              pendingText={t("billing.invoices.downloading")}
              onClick={() => void download.run()}
              aria-label={t("billing.invoices.downloadSaid", { number: number ?? shortDay(at) })}
              className="max-sm:-ml-4 sm:-my-2 sm:w-full"
            >
              <Download className="size-4" aria-hidden="true" />
              {t("billing.invoices.download")}
            </Button>
          ) : null}
        </span>
      </div>
      {download.error ? <ErrorNotice error={download.error} title={t("billing.invoices.downloadFailed")} className="mt-2" /> : null}
    </li>
  );
}
