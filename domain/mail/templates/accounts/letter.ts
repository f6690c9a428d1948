/** A mail about a person's account: a greeting, what there is to say, and one button. */
import type { Mail } from "../../mail.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import type { Recipient } from "./credential-mails.ts";

interface Letter {
  subject: string;
  /** What mail programs show beside the subject. */
  preview: string;
  heading: string;
  /** Each is a paragraph. */
  texts: readonly string[];
  /** The words of the button. */
  button: string;
  /** Where it leads. */
  link: string;
}

export function letter({ email, fullName, language }: Recipient, { texts, button, link, ...head }: Letter): Promise<Mail> {
  const said = [mailWords(language).greeting(oneLine(fullName)), ...texts];
  return renderMail(email, {
    language,
    ...head,
    blocks: [...said.map((text): MailBlock => ({ kind: "paragraph", text })), { kind: "action", label: button, href: link }],
  });
}
