/** Mails to the owner about the suspension of their account. The reason is an operator's text, in any language. */
import type { Mail } from "../../mail.ts";
import { saying } from "../../rendering/say-day.ts";
import type { Recipient } from "./credential-mails.ts";
import { letter } from "./letter.ts";
import { suspensionWords } from "./suspension-words.ts";

interface SuspendedFacts {
  reason: string;
  /** Null: until it is lifted. */
  until: Date | null;
  supportEmail: string;
  /** The panel's address. */
  link: string;
}

export function suspendedMail(
  to: Recipient & { timezone: string | null },
  { reason, until, supportEmail, link }: SuspendedFacts,
): Promise<Mail> {
  const { language, accountName, timezone } = to;
  const { subject, preview, heading, ...words } = suspensionWords(language).suspended;
  return letter(to, {
    subject,
    preview,
    heading,
    texts: [
      words.what(accountName),
      words.reason(reason),
      until ? words.until(saying(language, timezone).sayDay(until)) : words.openEnd,
      words.kept,
      words.write(supportEmail),
    ],
    button: words.button,
    link,
  });
}

export function resumedMail(to: Recipient, link: string): Promise<Mail> {
  const { what, ...words } = suspensionWords(to.language).resumed;
  return letter(to, { ...words, texts: [what(to.accountName)], link });
}
