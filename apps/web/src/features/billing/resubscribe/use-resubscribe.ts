/** Keeps or restores a subscription as previewed (SPEC §8: resubscribeSuccess; a failure is told where it was asked for). */
import { useRef } from "react";
import type { ResubscribePreview } from "#contract/billing/billing.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError, hasCode } from "../../../lib/api/api-error.ts";
import { notify } from "../../../lib/notices.ts";
import { useAction, type Action } from "../../../lib/use-action.ts";
import { t } from "../words.ts";
import { acceptUser } from "../billing-queries.ts";
import { leaveTo } from "../checkout/leave-for-checkout.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";
import { useBillingWait } from "../checkout/use-billing-wait.ts";

interface Outcomes {
  onDone: () => void;
  /** The sum or the subscription is another one by now: nothing was charged. */
  onStale: () => Promise<void>;
}

/** Resubscribes; leaves for the payment page where the customer has to pay first. */
export function useResubscribe({ onDone, onStale }: Outcomes): Action<ResubscribePreview> {
  const waitForActive = useBillingWait();
  const once = useRef({ previewId: "", key: "" });
  return useAction(async ({ previewId }: ResubscribePreview) => {
    // One key to a preview: a press that was not answered and its repetition are one.
    if (once.current.previewId !== previewId) once.current = { previewId, key: newIdempotencyKey() };
    try {
      const { user, url } = await callApi("resubscribe", { body: { previewId }, key: once.current.key });
      if (url) return leaveTo(url, user.account.billing?.planId ?? "");
      acceptUser(user);
      const isBack = user.account.billing?.status === "active" || (await waitForActive()) === "active";
      notify(isBack ? "success" : "info", t(isBack ? "billing.resubscribe.success" : "billing.resubscribe.waiting"));
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) once.current = { previewId: "", key: "" };
      if (!hasCode(error, "preview_stale")) throw error;
      await onStale();
    }
  });
}
