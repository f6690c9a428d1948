/** The mail that asks a new user to confirm their address. */
import type { Mail } from "../../mail.ts";
import { mailWords, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { credentialWords } from "./credential-words.ts";

interface ConfirmEmail {
  to: string;
  /** As typed in the registration, possibly by another person than the reader. */
  fullName: string;
  language: MailLanguage;
  /** Complete URL with the token. */
  link: string;
}

/** Renders the mail; the words promise that the link works for 24 hours. */
export function confirmEmailMail({ to, fullName, language, link }: ConfirmEmail): Promise<Mail> {
  const words = credentialWords(language).confirmEmail;
  return renderMail(to, {
    language,
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords(language).greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.welcome },
      { kind: "action", label: words.button, href: link },
      { kind: "note", text: words.expiry },
      { kind: "note", text: words.notYou },
    ],
  });
}
