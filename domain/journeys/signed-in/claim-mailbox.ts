/**
 * Anyone can register with another person's address. So when the mailbox is proved for the first time, and nothing shows that its reader is
 * the person who registered, everything that the registrant set up ends (decision 0076).
 */
import { confirmUser } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteAllLinks, setPassword, type Person } from "#domain/accounts/credential-store.ts";
import { forgetBrowsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { closeSessions } from "#domain/accounts/sessions/session-store.ts";
import { revokeAll } from "#domain/invitations/invitation-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { mailboxClaimedMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import type { Mail } from "#domain/mail/mail.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import type { Connection } from "#platform/database.ts";
import type { Services } from "../services.ts";

/** Records that a locked user reads mail at their address, and has their workspace told: its editor asks for a confirmation until then. */
export async function confirmOwner(tx: Connection, { userId, accountId }: Pick<Person, "userId" | "accountId">, now: Date): Promise<void> {
  await confirmUser(tx, userId, now);
  await makeAccountDue(tx, accountId, now);
}

/**
 * Confirms the address of a locked user, voids the password, ends every session, link and invitation, and forgets its browsers.
 * `notice`, the mail about it, is rendered before the transaction.
 */
export async function claimMailbox(
  tx: Connection,
  { userId, accountId, email }: Person,
  { address, notice }: { address: string; notice: Mail | null },
  now: Date,
): Promise<void> {
  await confirmOwner(tx, { userId, accountId }, now);
  await setPassword(tx, userId, null);
  const sessions = await closeSessions(tx, userId);
  await forgetBrowsers(tx, userId);
  await deleteAllLinks(tx, userId);
  await revokeAll(tx, accountId, now);
  await writeAudit(tx, { accountId, userId, action: "email.claimed", before: { sessions }, after: email, address }, now);
  if (notice) await queueMail(tx, notice, now);
}

/** The mail to the reader of the mailbox. */
export const writeClaimNotice = ({ publicUrl }: Pick<Services, "publicUrl">, person: Person): Promise<Mail> =>
  mailboxClaimedMail(person, mailLinks(publicUrl).forgotPassword);
