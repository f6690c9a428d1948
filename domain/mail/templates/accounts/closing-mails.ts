/** Mails to the owner of an account that was closed or reopened. An operator's reason is in any language. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { saying } from "../../rendering/say-day.ts";
import type { Recipient } from "./credential-mails.ts";
import { closingWords } from "./closing-words.ts";

const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });

interface ClosedFacts {
  eraseAt: Date;
  /** An operator's; null: the owner closed the account. */
  reason: string | null;
  /** The panel's address. */
  link: string;
}

export function closedMail(to: Recipient & { timezone: string | null }, { eraseAt, reason, link }: ClosedFacts): Promise<Mail> {
  const { email, fullName, language, accountName, timezone } = to;
  const { subject, preview, heading, ...words } = closingWords(language).closed;
  const day = saying(language, timezone).sayDay(eraseAt);
  return renderMail(email, {
    language,
    subject,
    preview: preview(day),
    heading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(reason === null ? words.byOwner(accountName) : words.byOperator(accountName)),
      ...(reason === null ? [] : [paragraph(words.reason(reason))]),
      paragraph(words.until(day)),
      paragraph(words.later),
      { kind: "action", label: words.button, href: link },
    ],
  });
}

export function reopenedMail({ email, fullName, language, accountName }: Recipient, link: string): Promise<Mail> {
  const { subject, preview, heading, what, button } = closingWords(language).reopened;
  return renderMail(email, {
    language,
    subject,
    preview,
    heading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(what(accountName)),
      { kind: "action", label: button, href: link },
    ],
  });
}
