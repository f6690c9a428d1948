/** The mails that say what became of a change of version. */
import type { Mail } from "../mail.ts";
import { updateWords } from "../update-words.ts";
import { mailWords } from "../words.ts";
import { oneLine } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

export type UpdateOutcome = "updated" | "taken-back" | "back" | "stuck";

export interface UpdateMail {
  to: string;
  fullName: string;
  accountName: string;
  engineName: string;
  fromVersion: string;
  toVersion: string;
  /** Why it was taken back. */
  reason: string | null;
  /** The workspace's settings. */
  link: string;
}

export function updateMail(outcome: UpdateOutcome, mail: UpdateMail): Promise<Mail> {
  const words = updateWords[outcome];
  const { accountName, engineName, fromVersion, toVersion } = mail;
  return renderMail(mail.to, {
    subject: words.subject(engineName, toVersion),
    preview: words.preview,
    heading: words.heading(engineName, toVersion),
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(mail.fullName)) },
      { kind: "paragraph", text: words.text(accountName, engineName, fromVersion, toVersion) },
      ...(mail.reason ? [{ kind: "paragraph" as const, text: mail.reason }] : []),
      { kind: "action", label: updateWords.button, href: mail.link },
    ],
  });
}
