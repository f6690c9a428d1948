/** The plain-text part: for people and mailboxes that show no HTML. */
import { mailWords } from "../words.ts";
import type { MailBlock, MailContent } from "./mail-content.ts";

/** The mail as text; addresses stand on lines of their own, so that every mailbox makes them links. */
export function plainText(content: MailContent): string {
  const parts = [content.heading, ...content.blocks.map(blockText), `-- \n${mailWords.footer}`];
  return `${parts.join("\n\n")}\n`;
}

function blockText(block: MailBlock): string {
  return block.kind === "action" ? `${block.label}:\n${block.href}` : block.text;
}
