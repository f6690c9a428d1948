/** The mail that asks a new person to confirm their address. */
import type { Mail } from "../mail.ts";
import { mailWords } from "../words.ts";
import { oneLine } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

export interface ConfirmEmail {
  to: string;
  /** As typed by whoever registered, who may not be the person who reads this. */
  fullName: string;
  /** Complete address with the token. */
  link: string;
}

/** Renders the mail; the words promise that the link works for 24 hours. */
export function confirmEmailMail({ to, fullName, link }: ConfirmEmail): Promise<Mail> {
  const words = mailWords.confirmEmail;
  return renderMail(to, {
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.welcome },
      { kind: "action", label: words.button, href: link },
      { kind: "note", text: words.expiry },
      { kind: "note", text: words.notYou },
    ],
  });
}
