/** The mails about the result of a version change. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const wordsOf = {
  updated: {
    subject: (engine: string, to: string) => `Your workspace now runs ${engine} ${to}`,
    preview: "Nothing else has changed. You can go back.",
    heading: (engine: string, to: string) => `Updated to ${engine} ${to}`,
    text: (account: string, engine: string, from: string, to: string) =>
      `Your workspace ${account} was updated from ${engine} ${from} to ${to}. We made a backup first. If something no longer works, you can go back in the workspace settings. Anything created since the update would be lost.`,
  },
  "taken-back": {
    subject: (engine: string, to: string) => `The update to ${engine} ${to} was undone`,
    preview: "Your workspace is running as before.",
    heading: (engine: string, to: string) => `The update to ${engine} ${to} was undone`,
    text: (account: string, engine: string, from: string, to: string) =>
      `Your workspace ${account} could not be updated to ${engine} ${to}, so it is back on ${from}, with everything as it was before the update.`,
  },
  stuck: {
    subject: (engine: string, to: string) => `The update to ${engine} ${to} failed and needs your attention`,
    preview: "Your workspace is not running.",
    heading: (engine: string, to: string) => `The update to ${engine} ${to} failed`,
    text: (account: string, engine: string, from: string, to: string) =>
      `Your workspace ${account} does not start on ${engine} ${to}, and going back to ${from} was not possible. Its data is kept as it is now. Restore one of its other backups on the Export page, choose another version in the settings, or contact support.`,
  },
  back: {
    subject: (engine: string, to: string) => `Your workspace is back on ${engine} ${to}`,
    preview: "Everything is as it was before the update.",
    heading: (engine: string, to: string) => `Back on ${engine} ${to}`,
    text: (account: string, engine: string, from: string, to: string) =>
      `As you requested, your workspace ${account} went back from ${engine} ${from} to ${to}, with everything as it was before the update. We kept the state before that as a backup.`,
  },
} as const;

export type UpdateOutcome = keyof typeof wordsOf;

export interface UpdateMail {
  to: string;
  fullName: string;
  accountName: string;
  engineName: string;
  fromVersion: string;
  toVersion: string;
  /** Why it was rolled back. */
  reason: string | null;
  /** The workspace's settings. */
  link: string;
}

export function updateMail(outcome: UpdateOutcome, mail: UpdateMail): Promise<Mail> {
  const words = wordsOf[outcome];
  const { accountName, engineName, fromVersion, toVersion } = mail;
  return renderMail(mail.to, {
    subject: words.subject(engineName, toVersion),
    preview: words.preview,
    heading: words.heading(engineName, toVersion),
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(mail.fullName)) },
      { kind: "paragraph", text: words.text(accountName, engineName, fromVersion, toVersion) },
      ...(mail.reason ? [{ kind: "paragraph" as const, text: mail.reason }] : []),
      { kind: "action", label: "Open workspace settings", href: mail.link },
    ],
  });
}
