/** Tells the owner when 80 % and when all of a period's executions are used: each once, by mail and in the journal. */
import { queueMail } from "#domain/mail/queue-mail.ts";
import { usageMail } from "#domain/mail/templates/workspaces/usage-mail.ts";
import type { WorkspacePlan } from "#domain/plans/plan-for-workspace.ts";
import { writeJournal, type JournalLine } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { claimAlert, readPeriod } from "./usage-store.ts";

export interface UsageOwner {
  id: string;
  accountId: string;
  accountName: string;
  ownerEmail: string;
  ownerFullName: string;
}

/** The owner is warned from this share on. */
export const warnAt = 0.8;

/** Which of the two to send, by what is used; null: neither. */
export function alertFor(used: number, limit: number): "nearly" | "reached" | null {
  if (limit < 0) return null;
  if (used >= limit) return "reached";
  return used >= limit * warnAt ? "nearly" : null;
}

/** Decides by what is recorded instead of what just arrived, so that a crash leaves nothing untold. */
export async function tellOfUsage(
  { db, clock, log, panelUrl }: { db: Database; clock: Clock; log: Log; panelUrl: string },
  owner: UsageOwner,
  plan: WorkspacePlan,
): Promise<void> {
  const limit = plan.limits.executions;
  const period = await readPeriod(db, owner.accountId, plan.periodStarts[0]!);
  const kind = alertFor(period?.executions ?? 0, limit);
  if (!period || !kind) return;
  // A larger plan has its own 80 %.
  const toldOf = kind === "nearly" ? period.warnedOf : period.reachedOf;
  if (toldOf !== null && toldOf >= limit) return;
  const mail = await usageMail(kind, {
    to: owner.ownerEmail,
    fullName: owner.ownerFullName,
    accountName: owner.accountName,
    planName: plan.displayName,
    used: period.executions,
    limit,
    resetsAt: plan.group === "trial" ? null : plan.periodEndsAt,
    link: `${panelUrl}/account/change-plan`,
  });
  await db.transaction(async (tx) => {
    const now = clock.now();
    if (!(await claimAlert(tx, period, kind === "nearly" ? "warned" : "reached", limit))) return;
    await queueMail(tx, mail, now);
    await writeJournal(tx, owner.id, journalLine(kind, limit), now);
    log.info({ workspace: owner.id, kind, used: period.executions, limit }, "an owner is told how much of their plan is used");
  });
}

const journalLine = (kind: "nearly" | "reached", limit: number): JournalLine =>
  kind === "nearly"
    ? { event: "quota-nearly-reached", message: `80% of the ${limit.toLocaleString("en-US")} executions of your plan are used.` }
    : {
        event: "quota-reached",
        message: `All ${limit.toLocaleString("en-US")} executions of your plan are used. Workflows won't run until more are available.`,
      };
