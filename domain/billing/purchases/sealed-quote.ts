/** A price that was shown, sealed for the browser to return with the customer's agreement, so that only that price can be confirmed. */
import { z } from "zod";
import { money } from "#contract/billing/money/money.ts";
import { AppError } from "#platform/app-error.ts";
import { after, minuteMs } from "#platform/clock.ts";
import type { Secrets } from "#platform/secrets.ts";

/** Long enough to read it and to ask a colleague. */
const quoteLivesMs = 15 * minuteMs;

const shown = {
  accountId: z.string(),
  /** The version of the subscription that it was made for. */
  version: z.number(),
  quotedAt: z.string(),
  dueNow: money,
};
const changeQuote = z.object({
  ...shown,
  purchase: z.object({ planId: z.string(), extraExecutionUnits: z.number(), extraWorkflowUnits: z.number() }),
  timing: z.enum(["now", "period-end"]),
  billing: z.enum(["now", "next-period"]),
  expiresAt: z.string(),
});
const resumeQuote = z.object({ ...shown, expiresAt: z.string() });
export type Quote = z.infer<typeof changeQuote>;
type ResumeQuote = z.infer<typeof resumeQuote>;

const forChange = { purpose: "change quote", shape: changeQuote } as const;
const forResume = { purpose: "resume quote", shape: resumeQuote } as const;

export const expiryOf = (quotedAt: Date): Date => after(quotedAt, quoteLivesMs);
export const sealQuote = (secrets: Secrets, sealed: Quote): string => secrets.encrypt(JSON.stringify(sealed), forChange.purpose);
export const sealResumeQuote = (secrets: Secrets, sealed: ResumeQuote): string =>
  secrets.encrypt(JSON.stringify(sealed), forResume.purpose);

/** Refuses (AppError) preview_stale: for another account, too old, or not made by us. */
export const openQuote = (secrets: Secrets, previewId: string, accountId: string, now: Date): Quote =>
  open(secrets, forChange, previewId, accountId, now);
/** Like `openQuote`, for a price of resuming. */
export const openResumeQuote = (secrets: Secrets, previewId: string, accountId: string, now: Date): ResumeQuote =>
  open(secrets, forResume, previewId, accountId, now);

function open<Shape extends z.ZodType<{ accountId: string; expiresAt: string }>>(
  secrets: Secrets,
  { purpose, shape }: { purpose: string; shape: Shape },
  previewId: string,
  accountId: string,
  now: Date,
): z.output<Shape> {
  const opened = read(secrets, purpose, shape, previewId);
  if (!opened || opened.accountId !== accountId || Date.parse(opened.expiresAt) < now.getTime()) throw new AppError("preview_stale");
  return opened;
}

function read<Shape extends z.ZodType>(secrets: Secrets, purpose: string, shape: Shape, previewId: string): z.output<Shape> | null {
  try {
    return shape.parse(JSON.parse(secrets.decrypt(previewId, purpose)));
  } catch {
    return null;
  }
}
