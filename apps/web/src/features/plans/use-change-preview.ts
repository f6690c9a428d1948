/** Previews what a change costs, again when the price has moved, and makes the change once. */
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { User } from "#contract/accounts/account.ts";
import type { ChangePreview } from "#contract/billing/billing.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError, hasCode } from "../../lib/api/api-error.ts";
import { newIdempotencyKey } from "../billing/checkout/new-idempotency-key.ts";
import type { Quotas } from "./quotas/custom-quotas.ts";

export type Timing = ChangePreview["timing"];

interface WantedChange {
  planId: string;
  quotas: Quotas | null;
  /** Undefined: as the server has it, up now and down at the period's end. */
  timing: Timing | undefined;
}

const bodyOf = ({ planId, timing }: WantedChange) => ({ planId, ...(timing ? { timing } : {}) });

async function askPreview(wanted: WantedChange, signal: AbortSignal): Promise<ChangePreview> {
  const { quotas } = wanted;
  const body = bodyOf(wanted);
  const { preview } = quotas
    ? await callApi("previewCustomChange", { body: { ...body, quotas }, signal })
    : await callApi("previewChange", { body, signal });
  return preview;
}

async function makeChange(wanted: WantedChange, { previewId, timing }: ChangePreview, key: string): Promise<User> {
  const { planId, quotas } = wanted;
  // As it was shown: the server may use the other timing by default by now.
  const body = { planId, timing, previewId };
  const { user } = quotas
    ? await callApi("changeCustomPlan", { body: { ...body, quotas }, key })
    : await callApi("changePlan", { body, key });
  return user;
}

/** The preview of a change; `confirm` makes it, and requests the price again where it has moved. */
export function useChangePreview(wanted: WantedChange) {
  const queries = useQueryClient();
  const queryKey = ["change-preview", wanted.planId, wanted.quotas, wanted.timing ?? null];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => askPreview(wanted, signal),
    // A price is shown until it is agreed to, refused or left; nothing but that asks for another.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });
  /** The price the customer confirmed before it turned out to have changed. */
  const [outdated, setOutdated] = useState<ChangePreview | null>(null);
  const once = useRef({ previewId: "", key: "" });

  const confirm = async (preview: ChangePreview): Promise<User | null> => {
    // One key to a preview: a press that was not answered and its repetition are one.
    if (once.current.previewId !== preview.previewId) once.current = { previewId: preview.previewId, key: newIdempotencyKey() };
    try {
      const user = await makeChange(wanted, preview, once.current.key);
      setOutdated(null);
      return user;
    } catch (error) {
      // A refusal is final: what comes next is another try, maybe with another card.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) once.current = { previewId: "", key: "" };
      if (!hasCode(error, "preview_stale")) throw error;
      setOutdated(preview);
      await queries.refetchQueries({ queryKey, exact: true });
      return null;
    }
  };
  return { ...query, outdated, confirm };
}
