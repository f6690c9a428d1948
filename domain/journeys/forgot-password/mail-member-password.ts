/** A member of a workspace forgot their password there: the engine makes the link, and the service mails it in its own words. */
import { countAttempt } from "#domain/attempts/attempt-store.ts";
import { mayMail } from "#domain/attempts/limit-mails.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { memberPasswordMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";

interface MemberPasswordMail {
  accountId: string;
  accountName: string;
  /** The workspace's address, without a trailing slash. */
  workspaceUrl: string;
  /** A member of the workspace, according to the workspace. */
  email: string;
  /** Below the workspace's address. */
  path: string;
}

/**
 * Queues the mail. False if this mailbox or this workspace has reached its limit: nothing is sent, and the member may try again later. Only
 * the link comes from the workspace, and it leads to that workspace.
 */
export async function mailMemberPassword({ db, clock }: { db: Database; clock: Clock }, asked: MemberPasswordMail): Promise<boolean> {
  const { accountId, accountName, workspaceUrl, email, path } = asked;
  const mail = await memberPasswordMail({ to: email, accountName, workspaceUrl, link: workspaceUrl + path });
  return db.transaction(async (tx) => {
    const now = clock.now();
    if ("waitSeconds" in (await countAttempt(tx, "workspace-mail", accountId, now)) || !(await mayMail(tx, email, now))) return false;
    await queueMail(tx, mail, now);
    return true;
  });
}
