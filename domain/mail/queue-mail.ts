/** The only way to create a mail: as a row in the use case's transaction, so that both happen or neither. */
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import type { Mail } from "./mail.ts";
import { insertMail } from "./mail-store.ts";

/** In an address or a subject, any of these could end a header and begin another. */
const headerBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** One bare address: no second one, no display name. The exact rule is the contract's; this is the last gate before SMTP. */
const bareAddress = /^[^\s<>,;:"()[\]\\@]+@[^\s<>,;:"()[\]\\@]+$/;

/**
 * Queues a rendered mail and returns its id. It is sent once the transaction of `connection` commits, usually within
 * milliseconds. Refuses a recipient that is not one bare address and a subject with line breaks.
 */
export async function queueMail(connection: Connection, mail: Mail, now: Date): Promise<string> {
  if (!bareAddress.test(mail.recipient)) throw new Error("A mail needs one bare address as its recipient.");
  if (mail.subject === "" || headerBreak.test(mail.subject)) throw new Error("A mail needs a subject of one line.");
  const id = newId(now.getTime());
  const { recipient, subject, text, html, attachment = null } = mail;
  await insertMail(connection, { id, recipient, subject, text, html, attachment, createdAt: now });
  return id;
}
