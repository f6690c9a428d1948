/** Previews what a change costs, again if the price has changed, and makes the change once. */
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
  /** Undefined: the server's default, upgrades now and downgrades at the period's end. */
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
  // As it was shown, because the server's default timing may have changed meanwhile.
  const body = { planId, timing, previewId };
  const { user } = quotas
    ? await callApi("changeCustomPlan", { body: { ...body, quotas }, key })
    : await callApi("changePlan", { body, key });
  return user;
}

/** The preview of a change; `confirm` makes it, and requests the price again if it has changed. */
export function useChangePreview(wanted: WantedChange) {
  const queries = useQueryClient();
  const queryKey = ["change-preview", wanted.planId, wanted.quotas, wanted.timing ?? null];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => askPreview(wanted, signal),
    // A price stays until it is confirmed, refused or left; only that requests another.
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
    // One key per preview: a press without an answer and its repetition count as one.
    if (once.current.previewId !== preview.previewId) once.current = { previewId: preview.previewId, key: newIdempotencyKey() };
    try {
      const user = await makeChange(wanted, preview, once.current.key);
      setOutdated(null);
      return user;
    } catch (error) {
      // A refusal is final: the next press is a new attempt, maybe with another card.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) once.current = { previewId: "", key: "" };
      if (!hasCode(error, "preview_stale")) throw error;
      setOutdated(preview);
      await queries.refetchQueries({ queryKey, exact: true });
      return null;
    }
  };
  return { ...query, outdated, confirm };
}
