/**
 * An operator suspends an account: its workspace stops, and nothing starts it until the suspension ends. Its subscription stays as it is: it
 * is neither cancelled nor refunded here, and what is paid meanwhile is received and lifts nothing (decision 0207).
 */
import { mailLinks } from "#domain/mail/mail-links.ts";
import { say } from "#contract/sentences/say.ts";
import { lockClosing } from "#domain/accounts/closing-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { lockSuspension, writeSuspension, type Suspension } from "#domain/accounts/suspension-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { suspendedMail } from "#domain/mail/templates/accounts/suspension-mails.ts";
import { holdWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { announceWorkspace, findWorkspace } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";

export interface SuspendingParts {
  db: Database;
  clock: Clock;
  publicUrl: string;
  supportEmail: string;
}

interface Account {
  accountId: string;
  accountName: string;
}

/**
 * Suspends the account, or gives its suspension another reason and end: it began when it began. The owner is told by mail. Returns whether
 * it was suspended before.
 */
export async function suspendAccount(
  { db, clock, publicUrl, supportEmail }: SuspendingParts,
  { accountId, accountName }: Account,
  { by, reason, until }: Pick<Suspension, "by" | "reason" | "until">,
): Promise<{ wasSuspended: boolean }> {
  const owner = await findOwner(db, accountId);
  // Rendering takes time, and happens outside of the transaction.
  const mail = owner && (await suspendedMail(owner, { reason, until, supportEmail, link: mailLinks(publicUrl).dashboard }));
  return db.transaction(async (tx) => {
    const now = clock.now();
    const before = await lockSuspension(tx, accountId);
    // A closed account's workspace is deleted, and held already.
    const isClosed = (await lockClosing(tx, accountId))?.closing != null;
    if (!before && !isClosed) await holdWorkspace(tx, accountId, { event: "suspended", message: say("suspended") }, now);
    await writeSuspension(tx, accountId, { since: before?.since ?? now, until, by, reason });
    await announce(tx, { accountId, accountName });
    await writeAudit(
      tx,
      {
        accountId,
        userId: null,
        action: "account.suspended",
        ...(before ? { before: { operator: before.by, reason: before.reason, until: before.until } } : {}),
        after: { operator: by, reason, until },
      },
      now,
    );
    if (mail) await queueMail(tx, mail, now);
    return { wasSuspended: before !== null };
  });
}

/** Also where nothing had to stop: gateways and open panels show another reason. */
export async function announce(tx: Connection, { accountId, accountName }: Account): Promise<void> {
  const workspace = await findWorkspace(tx, accountId);
  if (workspace) await announceWorkspace(tx, workspace.id, accountName);
}
