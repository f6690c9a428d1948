/** Where the program itself sends alarms. */
import { z } from "zod";
import { commaList, optional, webAddress } from "./setting-shapes.ts";

const mostRecipients = 10;

export const alertSettings = {
  ALERTS_URL: optional(webAddress),
  ALERTS_TO: optional(commaList.pipe(z.array(z.email("must be email addresses, separated by commas")).min(1).max(mostRecipients))),
};

export interface AlertSetting {
  url: string | null;
  to: readonly string[];
}

/** Null: nowhere. */
export function readAlerts({ ALERTS_URL, ALERTS_TO }: z.infer<z.ZodObject<typeof alertSettings>>): AlertSetting | null {
  return ALERTS_URL || ALERTS_TO ? { url: ALERTS_URL ?? null, to: ALERTS_TO ?? [] } : null;
}

/** A line for each setting that these need. */
export function alertProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  return env["ALERTS_TO"] && !env["SMTP_URL"] ? ["ALERTS_TO: mails need a mail server (SMTP_URL)"] : [];
}
