/** The mail that asks a new user to confirm their address. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const words = {
  subject: "Confirm your email address",
  preview: "Confirm your address to set up your workspace.",
  heading: "Confirm your email address",
  welcome: "Welcome to Slipway. Confirm that this address is yours to set up your workspace.",
  button: "Confirm email address",
  expiry: "The link works for 24 hours. After that, sign in and request a new one.",
  notYou: "Didn't ask for this? Someone probably mistyped their own address. Ignore this email and nothing happens.",
} as const;

export interface ConfirmEmail {
  to: string;
  /** As typed in the registration, possibly by another person than the reader. */
  fullName: string;
  /** Complete URL with the token. */
  link: string;
}

/** Renders the mail; the words promise that the link works for 24 hours. */
export function confirmEmailMail({ to, fullName, link }: ConfirmEmail): Promise<Mail> {
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
