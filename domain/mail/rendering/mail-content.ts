/** A mail's content, written once: the HTML part and the plain-text part are both made from it, so that both say the same. */
import type { MailLanguage } from "./mail-words.ts";

export type MailBlock =
  | { kind: "paragraph"; text: string }
  /** The main action, with its URL in plain text below it. */
  | { kind: "action"; label: string; href: string }
  /** Small print. */
  | { kind: "note"; text: string };

export interface MailContent {
  /** Absent: English. */
  language?: MailLanguage;
  subject: string;
  /** What a mailbox shows beside the subject before the mail is opened. */
  preview: string;
  heading: string;
  blocks: readonly MailBlock[];
}

/** User text, fit for one line of a mail: control characters and line breaks become spaces, ends are trimmed. */
export function oneLine(text: string): string {
  // Cf includes the marks that change the writing direction, with which a name could rewrite the sentence around it.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
