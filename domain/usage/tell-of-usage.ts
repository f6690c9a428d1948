/** Tells the owner when 80 % and when all of a period's executions are used: each once, by mail and in the journal. */
import type { Language } from "#contract/accounts/language.ts";
import { say } from "#contract/sentences/say.ts";
import { isMailMuted } from "#domain/accounts/credential-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { usageMail } from "#domain/mail/templates/workspaces/usage-mail.ts";
import type { WorkspacePlan } from "#domain/plans/plan-for-workspace.ts";
import { writeJournal, type JournalLine } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { claimAlert, readPeriod } from "./usage-store.ts";

interface UsageOwner {
  id: string;
  accountId: string;
  accountName: string;
  ownerEmail: string;
  ownerFullName: string;
  ownerLanguage: Language | null;
  ownerTimezone: string | null;
}

/** The owner is warned from this share on. */
const warnAt = 0.8;

/** Which of the two to send, by what is used; null: neither. */
export function alertFor(used: number, limit: number): "nearly" | "reached" | null {
  if (limit < 0) return null;
  if (used >= limit) return "reached";
  return used >= limit * warnAt ? "nearly" : null;
}

/**
 * Decides by what is recorded instead of what just arrived, so that a crash leaves nothing untold. Returns what was told; null: nothing.
 */
export async function tellOfUsage(
  { db, clock, log, panelUrl }: { db: Database; clock: Clock; log: Log; panelUrl: string },
  owner: UsageOwner,
  plan: WorkspacePlan,
): Promise<"nearly" | "reached" | null> {
  const limit = plan.limits.executions;
  const period = await readPeriod(db, owner.accountId, plan.periodStarts[0]!);
  const kind = alertFor(period?.executions ?? 0, limit);
  if (!period || !kind) return null;
  // A larger plan has its own 80 %.
  const toldOf = kind === "nearly" ? period.warnedOf : period.reachedOf;
  if (toldOf !== null && toldOf >= limit) return null;
  const mail = await usageMail(kind, {
    to: owner.ownerEmail,
    fullName: owner.ownerFullName,
    language: owner.ownerLanguage,
    timezone: owner.ownerTimezone,
    accountName: owner.accountName,
    planName: plan.displayName,
    used: period.executions,
    limit,
    resetsAt: plan.group === "trial" ? null : plan.periodEndsAt,
    link: mailLinks(panelUrl).plans,
  });
  return db.transaction(async (tx) => {
    const now = clock.now();
    if (!(await claimAlert(tx, period, kind === "nearly" ? "warned" : "reached", limit))) return null;
    // Owners are always told that workflows stop; the warning before that goes only to those who want it.
    if (kind === "reached" || !(await isMailMuted(tx, owner.accountId, "usage"))) await queueMail(tx, mail, now);
    await writeJournal(tx, owner.id, journalLine(kind, limit), now);
    log.info({ workspaceId: owner.id, kind, used: period.executions, limit }, "an owner is told how much of their plan is used");
    return kind;
  });
}

const journalLine = (kind: "nearly" | "reached", limit: number): JournalLine =>
  kind === "nearly"
    ? { event: "quota-nearly-reached", message: say("quotaNearlyReached", { count: limit }) }
    : {
        event: "quota-reached",
        message: say("quotaReached", { count: limit }),
      };
