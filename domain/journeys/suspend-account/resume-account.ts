/** A suspension ends: at its time, or because an operator lifts it. The workspace becomes what it was, or what was paid for meanwhile. */
import { mailLinks } from "#domain/mail/mail-links.ts";
import { say } from "#contract/sentences/say.ts";
import { findOwner, type Person } from "#domain/accounts/credential-store.ts";
import { listEndedSuspensions, lockSuspension, writeSuspension } from "#domain/accounts/suspension-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { holdLastBackup, restoreLastBackup } from "#domain/backups/last-backup.ts";
import { postponeDeletion } from "#domain/billing/subscription/postpone-deletion.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { resumedMail } from "#domain/mail/templates/accounts/suspension-mails.ts";
import { releaseWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { announce } from "./suspend-account.ts";

export interface ResumingParts {
  db: Database;
  clock: Clock;
  publicUrl: string;
  lastBackupDays: number;
}

/** `operator`: lifts it now. Without one, only a suspension whose time is over ends. False if there is none to end. */
export async function resumeAccount(
  { db, clock, publicUrl, lastBackupDays }: ResumingParts,
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
    await postponeDeletion(tx, accountId, now);
    await bringBack(tx, { accountId, owner, lastBackupDays, now });
    if (owner) await announce(tx, owner);
    const { by, reason, until } = suspension;
    await writeAudit(
      tx,
      { accountId, userId: null, action: "account.resumed", before: { operator: by, reason, until }, after: lifted ?? { atItsEnd: true } },
      now,
    );
    if (mail) await queueMail(tx, mail, now);
    return true;
  });
}

/** One that was deleted meanwhile for lack of payment, and paid for since, comes back with its last backup, as without a suspension. */
async function bringBack(
  tx: Connection,
  { accountId, owner, lastBackupDays, now }: { accountId: string; owner: Person | null; lastBackupDays: number; now: Date },
): Promise<void> {
  const held = await releaseWorkspace(tx, accountId);
  if (held?.resumesAs !== "running") return;
  const last = held.desiredState === "deleted" ? await holdLastBackup(tx, { accountId, life: held.life }, now) : null;
  await setDesiredState(tx, accountId, "running", { event: "suspension-ended", message: say("suspensionEnded") }, now);
  // Not removed yet: it continues with everything.
  if (!last || (await findWorkspace(tx, accountId))!.life === held.life) return;
  await restoreLastBackup(tx, last, { actor: owner?.fullName ?? "", days: lastBackupDays, now });
}

/** Ended in one round, in a transaction each. */
const mostAtOnce = 100;

/** Ends suspensions whose time is over. One that fails does not stop the others, and is tried again in the next round. */
export async function endSuspensions(parts: ResumingParts & { log: Log }): Promise<void> {
  for (const accountId of await listEndedSuspensions(parts.db, parts.clock.now(), mostAtOnce))
    await resumeAccount(parts, accountId).catch((err: unknown) =>
      parts.log.error({ err, accountId }, "a suspension whose time is over could not be ended"),
    );
}
