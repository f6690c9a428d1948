/** A link that a visitor without a session has mailed to a user. */
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import type { Mail } from "#domain/mail/mail.ts";
import type { Connection, Database } from "#platform/database.ts";
import { findPerson, type Person } from "../credential-store.ts";
import { insertLinkToken, newestLink } from "./link-token-store.ts";

/** Whether the mailbox has reached its limit, and until when it will not get another link. */
export interface LinkPause {
  isPaused: boolean;
  until: Date | null;
}

interface MailedLink {
  purpose: "reset-password" | "magic-link";
  /** The link's secret, which `mail` contains. */
  token: string;
  /** Where the mail goes. */
  email: string;
  mail: Mail;
  pause: LinkPause;
  /** For the audit log. */
  action: AuditAction;
  /** The caller's, who may be anyone. */
  address: string;
}

/**
 * Queues the mail, keeps the hash of its link and writes the audit row, in one transaction. In a pause the mailbox gets a link only if it
 * has none that works, and each link works at least until the pause ends: whatever strangers request, its reader has a way in.
 */
export function mailLink(
  db: Database,
  { userId, accountId }: Pick<Person, "userId" | "accountId">,
  link: MailedLink,
  now: Date,
): Promise<void> {
  const { purpose, token, email, mail, pause, action, address } = link;
  return db.transaction(async (tx) => {
    // One request at a time: of several, the second sees the first one's link.
    const person = await findPerson(tx, userId, { lock: true });
    if (person?.email !== email || (await hasLinkForPause(tx, userId, { purpose, email, pause }, now))) return;
    await insertLinkToken(tx, { token, userId, email, purpose, worksUntil: pause.until }, now);
    await writeAudit(tx, { accountId, userId: null, action, after: { for: userId }, address }, now);
    await queueMail(tx, mail, now);
  });
}

/** Whether there is a pause, during which a link that was mailed before still works. To rely on it, lock the user first. */
export async function hasLinkForPause(
  db: Connection,
  userId: string,
  { purpose, email, pause }: Pick<MailedLink, "purpose" | "email" | "pause">,
  now: Date,
): Promise<boolean> {
  return pause.isPaused && (await newestLink(db, userId, purpose, now))?.email === email;
}
