/** What a mail says, once: the HTML part and the plain-text part are both made from it, so neither can say less. */

export type MailBlock =
  | { kind: "paragraph"; text: string }
  /** The one thing to do, with its address in plain sight below it. */
  | { kind: "action"; label: string; href: string }
  /** Small print. */
  | { kind: "note"; text: string };

export interface MailContent {
  subject: string;
  /** What a mailbox shows beside the subject before the mail is opened. */
  preview: string;
  heading: string;
  blocks: readonly MailBlock[];
}

/** Text from people, fit for one line of a mail: control characters and line breaks become spaces, ends are trimmed. */
export function oneLine(text: string): string {
  // Cf holds the marks that turn the direction of writing, by which a name could rewrite the sentence around it.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
