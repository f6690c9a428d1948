/** A link that a visitor without a session has mailed to a user. */
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import type { Mail } from "#domain/mail/mail.ts";
import type { Database } from "#platform/database.ts";
import type { Person } from "../credential-store.ts";
import { insertLinkToken } from "./link-token-store.ts";

interface MailedLink {
  purpose: "reset-password" | "magic-link";
  /** The link's secret, which `mail` contains. */
  token: string;
  /** Where the mail goes. */
  email: string;
  mail: Mail;
  /** For the audit log. */
  action: AuditAction;
  /** The caller's, who may be anyone. */
  address: string;
}

/** Queues the mail, keeps the hash of its link and writes the audit row, in one transaction. */
export function mailLink(db: Database, person: Pick<Person, "userId" | "accountId">, link: MailedLink, now: Date): Promise<void> {
  const { purpose, token, email, mail, action, address } = link;
  const { userId, accountId } = person;
  return db.transaction(async (tx) => {
    await insertLinkToken(tx, { token, userId, email, purpose }, now);
    await writeAudit(tx, { accountId, userId: null, action, after: { for: userId }, address }, now);
    await queueMail(tx, mail, now);
  });
}
