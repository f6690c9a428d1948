/** A closed account is reopened, until its day: its workspace comes back with its last backup. */
import { say } from "#contract/sentences/say.ts";
import { lockClosing, writeClosing } from "#domain/accounts/closing-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { bringBack } from "#domain/backups/bring-back.ts";
import { markGone, postponeDeletion } from "#domain/billing/subscription/postpone-deletion.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { reopenedMail } from "#domain/mail/templates/accounts/closing-mails.ts";
import { AppError } from "#platform/app-error.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { announceAccount } from "./close-account.ts";

export interface ReopeningParts {
  db: Database;
  clock: Clock;
  log: Log;
  publicUrl: string;
  lastBackupDays: number;
}

/** Who reopens it. */
export type Reopener = { userId: string; sessionId: string; address: string } | { operator: string; reason?: string | undefined };

/**
 * False if it is not closed, or too late: from its day on, or once its erasure began, it is being erased. Throws AppError `session_expired`, or `account_suspended`:
 * a workspace that may not come back yet would outlive its last backup.
 */
export async function reopenAccount(
  { db, clock, log, publicUrl, lastBackupDays }: ReopeningParts,
  accountId: string,
  reopener: Reopener,
): Promise<boolean> {
  const owner = await findOwner(db, accountId);
  const mail = owner && (await reopenedMail(owner, mailLinks(publicUrl).dashboard));
  return db.transaction(async (tx) => {
    const now = clock.now();
    if ("userId" in reopener) await lockPerson(tx, reopener);
    // Before the account is locked, in the order of all changes of a subscription.
    await lockSubscription(tx, accountId);
    const account = await lockClosing(tx, accountId);
    if (!account?.closing || account.closing.eraseAt <= now || account.closing.erasingSince) return false;
    if (account.isSuspended) throw new AppError("account_suspended");
    await writeClosing(tx, accountId, null);
    await postponeDeletion(tx, accountId, now);
    const line = { event: "account-reopened", message: say("accountReopened") } as const;
    const held = await bringBack(tx, accountId, line, { actor: owner?.fullName ?? "", lastBackupDays, now, log });
    // Stopped for lack of a plan, and deleted by the closing: the next payment brings it back, as if nobody had paid for that long.
    if (held?.resumesAs === "stopped" && held.desiredState === "deleted") await markGone(tx, accountId, held.life, now);
    await announceAccount(tx, accountId, account.name);
    const { since, by, reason } = account.closing;
    const byWhom = "userId" in reopener ? reopener : { userId: null };
    await writeAudit(
      tx,
      {
        accountId,
        userId: byWhom.userId,
        action: "account.reopened",
        before: { since, operator: by, reason },
        ...("operator" in reopener ? { after: { operator: reopener.operator, reason: reopener.reason } } : { address: reopener.address }),
      },
      now,
    );
    if (mail) await queueMail(tx, mail, now);
    return true;
  });
}
