/** From what a mail says to the mail itself. */
import { render } from "@react-email/render";
import type { Mail } from "../mail.ts";
import { mailLayout } from "./layout.ts";
import type { MailContent } from "./mail-content.ts";
import { plainText } from "./plain-text.ts";

/** Renders both parts, in about 2 ms. Call it before the transaction, not inside. */
export async function renderMail(recipient: string, content: MailContent): Promise<Mail> {
  const html = await render(mailLayout(content));
  return { recipient, subject: content.subject, text: plainText(content), html };
}
