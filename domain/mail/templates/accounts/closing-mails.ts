/** Mails to the owner of an account that was closed or reopened. An operator's reason is in any language. */
import type { Mail } from "../../mail.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { saying } from "../../rendering/say-day.ts";
import type { Recipient } from "./credential-mails.ts";
import { closingWords } from "./closing-words.ts";
import { letter } from "./letter.ts";

interface ClosedFacts {
  eraseAt: Date;
  /** An operator's; null: the owner closed the account. */
  reason: string | null;
  /** The panel's address. */
  link: string;
}

export function closedMail(to: Recipient & { timezone: string | null }, { eraseAt, reason, link }: ClosedFacts): Promise<Mail> {
  const { language, accountName, timezone } = to;
  const { subject, preview, heading, ...words } = closingWords(language).closed;
  const day = saying(language, timezone).sayDay(eraseAt);
  const why = reason === null ? [words.byOwner(accountName)] : [words.byOperator(accountName), words.reason(reason)];
  return letter(to, {
    subject,
    preview: preview(day),
    heading,
    texts: [...why, words.until(day), words.later],
    button: words.button,
    link,
  });
}

export function reopenedMail(to: Recipient, link: string): Promise<Mail> {
  const { what, ...words } = closingWords(to.language).reopened;
  return letter(to, { ...words, texts: [what(to.accountName)], link });
}

/** The last one, sent before the address is gone. Without a button: there is no account to open. */
export function erasingMail({ email, fullName, language, accountName }: Recipient, supportEmail: string): Promise<Mail> {
  const { what, kept, questions, ...head } = closingWords(language).erasing;
  const texts = [mailWords(language).greeting(oneLine(fullName)), what(accountName), kept, questions(supportEmail)];
  return renderMail(email, { language, ...head, blocks: texts.map((text) => ({ kind: "paragraph", text })) });
}
