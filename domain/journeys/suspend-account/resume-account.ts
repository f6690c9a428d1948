/** A suspension ends: at its time, or because an operator lifts it. The workspace becomes what it was, or what was paid for meanwhile. */
import { mailLinks } from "#domain/mail/mail-links.ts";
import { say } from "#contract/sentences/say.ts";
import { lockClosing } from "#domain/accounts/closing-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { listEndedSuspensions, lockSuspension, writeSuspension } from "#domain/accounts/suspension-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { bringBack } from "#domain/backups/bring-back.ts";
import { markGone, postponeDeletion } from "#domain/billing/subscription/postpone-deletion.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { resumedMail } from "#domain/mail/templates/accounts/suspension-mails.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { announce } from "./suspend-account.ts";

export interface ResumingParts {
  db: Database;
  clock: Clock;
  log: Log;
  publicUrl: string;
  lastBackupDays: number;
}

/** `operator`: lifts it now. Without one, only a suspension whose time is over ends. False if there is none to end. */
export async function resumeAccount(
  { db, clock, log, publicUrl, lastBackupDays }: ResumingParts,
  accountId: string,
  lifted?: { operator: string; reason?: string | undefined },
): Promise<boolean> {
  const owner = await findOwner(db, accountId);
  const mail = owner && (await resumedMail(owner, mailLinks(publicUrl).dashboard));
  return db.transaction(async (tx) => {
    const now = clock.now();
    // Before the account is locked, in the order of all changes of a subscription.
    await lockSubscription(tx, accountId);
    const suspension = await lockSuspension(tx, accountId);
    if (!suspension || (!lifted && (suspension.until === null || suspension.until > now))) return false;
    await writeSuspension(tx, accountId, null);
    // Closed meanwhile, it stays without a workspace: reopening brings that back.
    const isClosed = (await lockClosing(tx, accountId))?.closing != null;
    if (!isClosed) {
      await postponeDeletion(tx, accountId, now);
      const line = { event: "suspension-ended", message: say("suspensionEnded") } as const;
      const held = await bringBack(tx, accountId, line, { actor: owner?.fullName ?? "", lastBackupDays, now, log });
      // Deleted before, then paid for and stopped again while suspended.
      if (held?.resumesAs === "stopped" && held.desiredState === "deleted") await markGone(tx, accountId, held.life, now);
    }
    if (owner) await announce(tx, owner);
    const { by, reason, until } = suspension;
    await writeAudit(
      tx,
      { accountId, userId: null, action: "account.resumed", before: { operator: by, reason, until }, after: lifted ?? { atItsEnd: true } },
      now,
    );
    if (mail && !isClosed) await queueMail(tx, mail, now);
    return true;
  });
}

/** Ended in one round, in a transaction each. */
const mostAtOnce = 100;

/** Ends suspensions whose time is over. One that fails does not stop the others, and is tried again in the next round. */
export async function endSuspensions(parts: ResumingParts): Promise<void> {
  for (const accountId of await listEndedSuspensions(parts.db, parts.clock.now(), mostAtOnce))
    await resumeAccount(parts, accountId).catch((err: unknown) =>
      parts.log.error({ err, accountId }, "a suspension whose time is over could not be ended"),
    );
}
