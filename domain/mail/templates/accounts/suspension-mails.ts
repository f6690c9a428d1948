/** Mails to the owner about the suspension of their account. The reason is an operator's text, in any language. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { saying } from "../../rendering/say-day.ts";
import type { Recipient } from "./credential-mails.ts";
import { suspensionWords } from "./suspension-words.ts";

const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });

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
  const { email, fullName, language, accountName, timezone } = to;
  const { subject, preview, heading, ...words } = suspensionWords(language).suspended;
  return renderMail(email, {
    language,
    subject,
    preview,
    heading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(words.what(accountName)),
      paragraph(words.reason(reason)),
      paragraph(until ? words.until(saying(language, timezone).sayDay(until)) : words.openEnd),
      paragraph(words.kept),
      paragraph(words.write(supportEmail)),
      { kind: "action", label: words.button, href: link },
    ],
  });
}

export function resumedMail({ email, fullName, language, accountName }: Recipient, link: string): Promise<Mail> {
  const { subject, preview, heading, what, button } = suspensionWords(language).resumed;
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
