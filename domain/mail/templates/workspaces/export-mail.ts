/** The mail that says that an export is ready. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const words = {
  subject: "Your export is ready",
  preview: "Your workflows as files, to keep or to import elsewhere.",
  heading: "Your export is ready",
  ready: (account: string) => `The workflows of your workspace ${account} are ready to download.`,
  button: "Download the export",
  credentials: "Your credentials are included, encrypted with the passphrase you chose. We do not know it and cannot recover it.",
  expiry: "The file is kept for 7 days. Sign in to download it. Each download link works once, for 5 minutes.",
  notYou: "Didn't ask for this? Someone who can sign in to your account did. Sign in and change your password.",
} as const;

export interface ExportMail {
  to: string;
  fullName: string;
  accountName: string;
  /** The page to download it, which requires signing in: the mail itself opens nothing. */
  link: string;
  withCredentials: boolean;
}

/** Renders the mail; the words promise a week. */
export function exportReadyMail({ to, fullName, accountName, link, withCredentials }: ExportMail): Promise<Mail> {
  return renderMail(to, {
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.ready(accountName) },
      { kind: "action", label: words.button, href: link },
      ...(withCredentials ? [{ kind: "note" as const, text: words.credentials }] : []),
      { kind: "note", text: words.expiry },
      { kind: "note", text: words.notYou },
    ],
  });
}
