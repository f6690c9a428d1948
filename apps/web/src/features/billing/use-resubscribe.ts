/** Keeps or restores a subscription, and says how it went (SPEC §8: resubscribeSuccess, resubscribeFailed). */
import { useRef } from "react";
import { callApi } from "../../lib/api-client.ts";
import { ApiError } from "../../lib/api-error.ts";
import { errorWords } from "../../lib/error-words.ts";
import { notify } from "../../lib/notices.ts";
import { useAction, type Action } from "../../lib/use-action.ts";
import "../../words/add-billing-words.ts";
import { t } from "../../words/words.ts";
import { acceptUser } from "./billing-queries.ts";
import { leaveTo } from "./leave-for-checkout.ts";
import { newIdempotencyKey } from "./new-idempotency-key.ts";
import { useBillingWait } from "./use-billing-wait.ts";

/** Resubscribes; leaves for the payment page where somebody has to pay first. Failures are told as a notice. */
export function useResubscribe(): Action<void> {
  const waitForActive = useBillingWait();
  const agreed = useRef<{ key: string; previewId: string | null } | null>(null);
  return useAction(async () => {
    // Whoever was not answered asks for the same again.
    agreed.current ??= { key: newIdempotencyKey(), previewId: null };
    try {
      agreed.current.previewId ??= (await callApi("previewResubscribe", { body: {} })).preview.previewId;
      const { user, url } = await callApi("resubscribe", { body: { previewId: agreed.current.previewId }, key: agreed.current.key });
      agreed.current = null;
      if (url) return leaveTo(url, user.account.billing?.planId ?? "");
      acceptUser(user);
      const isBack = user.account.billing?.status === "active" || (await waitForActive()) === "active";
      notify(isBack ? "success" : "info", t(isBack ? "billing.resubscribe.success" : "billing.resubscribe.waiting"));
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) agreed.current = null;
      const words = errorWords(error);
      notify("danger", `${t("billing.resubscribe.failed")} ${words.sentence} ${words.next}`);
    }
  });
}
