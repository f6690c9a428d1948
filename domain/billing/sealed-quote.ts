/** A price that was shown, as the browser carries it until it is agreed to: sealed, so that nobody agrees to another one. */
import { z } from "zod";
import { money } from "#contract/money.ts";
import { AppError } from "#platform/app-error.ts";
import type { Secrets } from "#platform/secrets.ts";

const quote = z.object({
  accountId: z.string(),
  /** Of the subscription that it was made for. */
  version: z.number(),
  purchase: z.object({ planId: z.string(), extraExecutionUnits: z.number(), extraWorkflowUnits: z.number() }),
  timing: z.enum(["now", "period-end"]),
  quotedAt: z.string(),
  dueNow: money,
  expiresAt: z.string(),
});
export type Quote = z.infer<typeof quote>;

const purpose = "change quote";

export const sealQuote = (secrets: Secrets, sealed: Quote): string => secrets.encrypt(JSON.stringify(sealed), purpose);

/** Refuses (AppError) preview_stale: it is another account's, too old, or was never made by us. */
export function openQuote(secrets: Secrets, previewId: string, accountId: string, now: Date): Quote {
  const opened = read(secrets, previewId);
  if (!opened || opened.accountId !== accountId || Date.parse(opened.expiresAt) < now.getTime()) throw new AppError("preview_stale");
  return opened;
}

function read(secrets: Secrets, previewId: string): Quote | null {
  try {
    return quote.parse(JSON.parse(secrets.decrypt(previewId, purpose)));
  } catch {
    return null;
  }
}
