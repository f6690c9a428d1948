/** Mails that were kept instead of sent, for the development inbox and for tests. */
import type { z } from "zod";
import type { inboxMessage } from "#contract/service.ts";
import type { Connection } from "#platform/database.ts";
import { listSentMails } from "./mail-store.ts";

type InboxMessage = z.infer<typeof inboxMessage>;

/** One page; older mails stay in the database. */
const newestCount = 100;

/** The newest 100 mails, newest first. */
export async function developmentInbox(connection: Connection): Promise<InboxMessage[]> {
  const rows = await listSentMails(connection, newestCount);
  return rows.map(({ recipient, sentAt, ...mail }) => ({
    ...mail,
    to: recipient,
    links: linksOf(mail.text),
    sentAt: (sentAt as Date).toISOString(),
  }));
}

/** Web addresses in a text, in order, each once; punctuation that ends a sentence is not part of one. */
export function linksOf(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return [...new Set(found.map((link) => link.replace(/[.,;:!?)\]']+$/, "")))];
}
