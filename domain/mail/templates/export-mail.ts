/** The mail that says that an export is there. */
import { exportWords } from "../export-words.ts";
import type { Mail } from "../mail.ts";
import { mailWords } from "../words.ts";
import { oneLine } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

export interface ExportMail {
  to: string;
  fullName: string;
  accountName: string;
  /** The page where it is downloaded, which asks for a sign-in: the mail itself opens nothing. */
  link: string;
  withCredentials: boolean;
}

/** Renders the mail; the words promise a week. */
export function exportReadyMail({ to, fullName, accountName, link, withCredentials }: ExportMail): Promise<Mail> {
  const words = exportWords.ready;
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
