import { useQuery } from "@tanstack/react-query";
import { useState, useRef } from "react";
import type { ResubscribePreview } from "#contract/billing/billing.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { hasCode, ApiError } from "../../../lib/api/api-error.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { isInForce } from "../in-force.ts";
import { t } from "../words.ts";
import { ChargeFacts } from "./charge-facts.tsx";
import { ConfirmPaymentLink } from "../checkout/confirm-payment-link.tsx";
import { dayOf } from "../dates.ts";
import { formatCharge } from "../format-price.ts";
import { Loaded } from "../../../ui/notices/loaded.tsx";
import { OtherCard } from "../card/other-card.tsx";
import { PriceLines } from "../price-lines.tsx";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction, type Action } from "../../../lib/use-action.ts";
import { acceptUser } from "../billing-queries.ts";
import { leaveTo } from "../checkout/leave-for-checkout.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";
import { useBillingWait } from "../checkout/use-billing-wait.ts";

/** What resubscribing does and charges, from which card, and the one button that does it. */
export default function ResubscribeDialog({ onClose }: { onClose: () => void }) {
  const preview = useQuery({
    queryKey: ["resubscribe-preview"],
    queryFn: async ({ signal }) => (await callApi("previewResubscribe", { body: {}, signal })).preview,
    // A price stays until it is confirmed, refused or left; only that requests another.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [isStale, setIsStale] = useState(false);
  const resubscribe = useResubscribe({
    onDone: onClose,
    onStale: async () => {
      await preview.refetch();
      setIsStale(true);
    },
  });
  const shown = preview.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title={shown ? t(`billing.resubscribe.title.${shown.way}`, { plan: shown.planName }) : t("billing.resubscribe.action")}
      description={shown ? t(`billing.resubscribe.text.${shown.way}`) : t("billing.resubscribe.loading")}
      closeLabel={t("common.close")}
    >
      <div className="mt-4 space-y-4">
        {isStale ? <Notice tone="warning" title={t("plans.confirm.stale")} /> : null}
        {resubscribe.error ? (
          <ErrorNotice
            error={resubscribe.error}
            title={t("billing.resubscribe.failed")}
            action={hasCode(resubscribe.error, "payment_action_required") ? <ConfirmPaymentLink error={resubscribe.error} /> : null}
          />
        ) : null}
        <Loaded query={preview} failed={t("billing.resubscribe.notLoaded")} lines={3}>
          {(known) => <Facts preview={known} />}
        </Loaded>
        <div className="flex flex-wrap justify-end gap-2">
          <Button tone="plain" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          {shown?.way === "charge" ? <OtherCard /> : null}
          {shown ? (
            <Button
              pending={resubscribe.pending || preview.isFetching}
              pendingText={t("billing.resubscribe.pending")}
              onClick={() => void resubscribe.run(shown)}
            >
              {confirmText(shown)}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}

function Facts({ preview }: { preview: ResubscribePreview }) {
  const { way, lines, tax, dueNow, card, nextPayment } = preview;
  return (
    <div>
      {way === "keep" ? null : <p className="mb-3 text-sm">{workspaceText(preview)}</p>}
      {lines.length > 0 ? <PriceLines lines={lines} tax={tax} /> : null}
      {way === "checkout" ? (
        <p className="text-sm text-ink-soft">{t("billing.resubscribe.plusTax", { amount: formatCharge(dueNow) })}</p>
      ) : (
        <ChargeFacts dueNow={dueNow} card={card} next={nextPayment} className={lines.length > 0 ? "border-t border-line" : ""} />
      )}
    </div>
  );
}

/** What the payment starts. */
const workspaceText = ({ workspace, lastBackup }: ResubscribePreview): string =>
  workspace === "restored" && lastBackup
    ? t("billing.resubscribe.workspace.restored", { made: dayOf(lastBackup.madeAt) })
    : t(workspace === "kept" ? "billing.resubscribe.workspace.kept" : "billing.ended.empty");

/** The button's label, with the sum it charges. */
function confirmText({ way, dueNow }: ResubscribePreview): string {
  if (way === "charge" && dueNow.amount > 0) return t("billing.resubscribe.pay", { amount: formatCharge(dueNow) });
  return t(way === "charge" ? "billing.resubscribe.action" : `billing.resubscribe.confirm.${way}`);
}

interface Outcomes {
  onDone: () => void;
  /** The sum or the subscription has changed since: nothing was charged. */
  onStale: () => Promise<void>;
}

/** Keeps or restores a subscription as previewed; leaves for the payment page if the customer has to pay first. */
function useResubscribe({ onDone, onStale }: Outcomes): Action<ResubscribePreview> {
  const waitForActive = useBillingWait();
  const once = useRef({ previewId: "", key: "" });
  return useAction(async ({ previewId }: ResubscribePreview) => {
    // One key per preview: a press without an answer and its repetition count as one.
    if (once.current.previewId !== previewId) once.current = { previewId, key: newIdempotencyKey() };
    try {
      const { user, url } = await callApi("resubscribe", { body: { previewId }, key: once.current.key });
      if (url) return leaveTo(url, user.account.billing?.planId ?? "");
      acceptUser(user);
      const isBack = isInForce(user.account.billing?.status) || (await waitForActive()) === "active";
      notify(isBack ? "success" : "info", t(isBack ? "billing.resubscribe.success" : "billing.resubscribe.waiting"));
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) once.current = { previewId: "", key: "" };
      if (!hasCode(error, "preview_stale")) throw error;
      await onStale();
    }
  });
}
