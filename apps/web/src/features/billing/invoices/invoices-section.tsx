import { useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { formatMoney } from "#contract/billing/format-money.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { transactionsQuery, type Transaction } from "../billing-queries.ts";
import { shortDay } from "../dates.ts";
import { HistorySection } from "./history-section.tsx";
import { StateMark } from "../../../ui/state-mark.tsx";
import { refusal, send, unanswered } from "../../../lib/api/api-client.ts";
import { addressOf } from "../../../lib/config.ts";
import { panelCalls } from "../../../lib/api/panel-calls.ts";

/** What was invoiced, newest first, each as PDF. */
export function InvoicesSection() {
  return (
    <HistorySection
      title={t("billing.invoices.title")}
      query={useQuery(transactionsQuery)}
      failed={t("billing.invoices.notLoaded")}
      empty={{ icon: <ReceiptText />, title: t("billing.invoices.none"), text: t("billing.invoices.noneText") }}
      row={(invoice) => <InvoiceRow key={invoice.id} invoice={invoice} />}
    />
  );
}

const tones = { paid: "good", open: "waiting", void: "plain", refunded: "plain" } as const;

function InvoiceRow({ invoice: { id, number, at, description, total, tax, status, kind, hasInvoice } }: { invoice: Transaction }) {
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
          {kind === "invoice" ? (
            <StateMark tone={tones[status]}>{t(`billing.invoices.statuses.${status}`)}</StateMark>
          ) : (
            <StateMark tone="plain">{t(`billing.invoices.corrections.${kind}`)}</StateMark>
          )}
          <p className="text-right tabular-nums sm:min-w-24">
            <span className="font-medium">{formatMoney(total)}</span>
            {tax.amount !== 0 ? (
              <span className="block text-[0.8125rem] text-ink-soft">{t("billing.invoices.taxOf", { amount: formatMoney(tax) })}</span>
            ) : null}
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

/**
 * Saves the PDF on the customer's device. Where the provider keeps it, its page opens instead; the address is requested at each click,
 * because it expires. Throws ApiError.
 */
async function downloadInvoice(id: string): Promise<void> {
  const address = addressOf(panelCalls.getInvoice.path).replace(":id", encodeURIComponent(id));
  const response = await send(address, { credentials: "same-origin", redirect: "manual" });
  // Another host: a script may not read the file, but the browser may open it.
  if (response.type === "opaqueredirect") return location.assign(address);
  if (!response.ok) throw await refusal(response);
  const name = /filename="?([\w.-]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? `invoice-${id}.pdf`;
  const file = await response.blob().catch((cause: unknown) => {
    throw unanswered(cause);
  });
  save(file, name);
}

function save(blob: Blob, name: string): void {
  const file = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = file;
  link.download = name;
  link.click();
  // Some browsers read it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
