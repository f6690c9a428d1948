/**
 * The only way a subscription changes. The decision is made under the subscription's lock, and the row, its timers and all effects
 * (mails, the workspace, the audit log, corrections) are written in the same transaction. Rendering a mail takes time and happens
 * outside: if a decision needs a mail that is not rendered yet, nothing is written, and the decision is made again afterwards.
 */
import { say } from "#contract/sentences/say.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { whatHolds } from "#domain/accounts/suspension-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { findLastBackup, holdLastBackup, restoreLastBackup } from "#domain/backups/last-backup.ts";
import { keepAtLeast } from "#domain/backups/expired-backup-store.ts";
import type { Mail } from "#domain/mail/mail.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import type { BillingMail } from "#domain/mail/templates/billing/billing-mail.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { grantedPlan, memoryOf, type Plans } from "#domain/plans/plan-facts.ts";
import { entitlementsChanged } from "#domain/workspaces/desired/entitlements-changed.ts";
import { setWorkspaceMemory, setDesiredState, startsAnew } from "#domain/workspaces/desired/set-desired-state.ts";
import { findWorkspace, requestRestart, writeJournal, type JournalLine } from "#domain/workspaces/workspace-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import type { Actor, Billing } from "./billing.ts";
import { countCorrection } from "./count-correction.ts";
import { isGivenByRestart } from "./purchases/change/changes-start.ts";
import type { Effect, Next } from "./subscription/subscription-machine.ts";
import { isRunning, isSold, stateOf, type SubscriptionFields, type SubscriptionRow } from "./subscription/subscription-states.ts";
import { lockSubscription, writeSubscription } from "./subscription/subscription-store.ts";
import { timerChanges } from "./subscription/subscription-timers.ts";
import { changeTimers } from "./subscription/timer-store.ts";

type Parts = Pick<Billing, "db" | "clock" | "log" | "renderMail" | "workspaceMemoryMb" | "lastBackupDays" | "delivery">;

/** What a decision is based on, read under the lock. */
interface Standing {
  /** For reading only, because a decision may be made twice. Writes belong in `also`. */
  tx: Connection;
  held: SubscriptionRow | null;
  plans: Plans;
  /** The same time if the decision is made twice. */
  now: Date;
}

interface Decision {
  /** Null: the subscription stays as it is. */
  next: Next | null;
  /** Written in the same transaction, before the row. */
  also?: ((tx: Connection) => Promise<unknown>) | undefined;
}

/** Who makes the change, and the time that its timers count from (default: the clock). */
interface Change {
  actor: Actor;
  asOf?: Date;
}

/** Decides and carries out. Resolves with the decision and whether the row changed. If `decide` throws, nothing is written. */
export async function changeSubscription<D extends Decision>(
  parts: Parts,
  accountId: string,
  change: Change,
  decide: (standing: Standing) => Promise<D> | D,
): Promise<D & { changed: boolean }> {
  const rendered = new Map<string, Mail | null>();
  let now: Date | undefined;
  for (;;) {
    const done = await parts.db.transaction(async (tx) => {
      const held = await lockSubscription(tx, accountId);
      const plans = await readPlans(tx);
      const standing = { tx, held, plans, now: (now ??= parts.clock.now()) };
      const decision = await decide(standing);
      const wanted = decision.next ? await mailsOf(tx, parts, accountId, { ...standing, next: decision.next }) : [];
      const missing = wanted.filter((mail) => !rendered.has(keyOf(mail)));
      if (missing.length > 0) return { missing, decision: null };
      await decision.also?.(tx);
      const mails = wanted.map((mail) => rendered.get(keyOf(mail)) ?? null);
      const changed = decision.next !== null && (await carryOut(parts, accountId, change, standing, decision.next, mails));
      return { missing, decision: { ...decision, changed } };
    });
    if (done.decision) return done.decision;
    for (const mail of done.missing) rendered.set(keyOf(mail), await parts.renderMail(mail));
  }
}

const keyOf = (mail: BillingMail): string => JSON.stringify(mail);

/** Runs in the transaction that holds the lock. True if the row changed. */
async function carryOut(
  parts: Parts,
  accountId: string,
  { actor, asOf }: Change,
  { tx, held, plans, now }: Standing,
  { row, effects }: Next,
  mails: readonly (Mail | null)[],
): Promise<boolean> {
  const { changed, isNews } = await writeSubscription(tx, held, row);
  if (changed) await changeTimers(tx, accountId, timerChanges(held, row, asOf ?? now));
  if (isNews) await tellWorkspace(tx, parts, accountId, held, row, plans, now);
  for (const effect of effects) await doEffect(tx, effect, parts, { accountId, actor, held, row, now });
  for (const mail of mails) if (mail) await queueMail(tx, mail, now);
  return changed;
}

/**
 * Tells the workspace its plan. It gets what applies only at a start, such as memory, at its next one, which a larger plan begins with: one
 * that is bought, begins as scheduled, is given by an operator, or was changed at the provider.
 */
async function tellWorkspace(
  tx: Connection,
  parts: Parts,
  accountId: string,
  held: SubscriptionRow | null,
  row: SubscriptionFields,
  plans: Plans,
  now: Date,
): Promise<void> {
  if (held?.specId !== row.specId && isRunning(stateOf(row))) {
    const plan = [...plans.values()].find(({ specId }) => specId === row.specId);
    const memoryMb = plan && memoryOf(plan, parts);
    if (memoryMb) await setWorkspaceMemory(tx, accountId, memoryMb);
  }
  await entitlementsChanged(tx, accountId, now);
  if (!held || !restartsWith(parts, held, row, plans)) return;
  // One requested moments ago may have begun with what the plan before gave.
  const restarted = await requestRestart(tx, accountId, now, { mayMerge: false });
  if (restarted) await writeJournal(tx, restarted.id, { event: "plan-restart", message: say("planRestart") }, now);
}

/** By what is granted: while the provider bills a scheduled plan before its day, that is still the plan before. */
function restartsWith(parts: Parts, held: SubscriptionRow, row: SubscriptionFields, plans: Plans): boolean {
  if (held.specId === row.specId || !isRunning(stateOf(held)) || !isRunning(stateOf(row))) return false;
  // The catalogue gives the same plan more: nobody bought that, and all its customers would restart at once.
  if (held.planId === row.planId && held.scheduledFromPlanId === null) return false;
  const [from, to] = [grantedPlan(held, plans), grantedPlan(row, plans)];
  return from !== undefined && to !== undefined && isGivenByRestart(parts, from, to);
}

interface Carried {
  accountId: string;
  actor: Actor;
  held: SubscriptionRow | null;
  row: SubscriptionFields;
  now: Date;
}

async function doEffect(tx: Connection, effect: Effect, parts: Parts, { accountId, actor, held, row, now }: Carried): Promise<void> {
  switch (effect.kind) {
    case "mail":
      return;
    case "workspace":
      return setWorkspace(tx, effect, parts, { accountId, held, now });
    case "audit": {
      const after = { ...audited(row), ...(actor.operator ? { operator: actor.operator } : {}) };
      const address = actor.address ? { address: actor.address } : {};
      return writeAudit(
        tx,
        { accountId, userId: actor.userId, action: effect.action, before: held && audited(held), after, ...address },
        now,
      );
    }
    case "correction":
      return countCorrection(tx, parts, { accountId, kind: effect.correction, detail: effect.detail });
  }
}

/** A workspace that was deleted because nobody paid comes back with its last backup, if that is still kept. */
async function setWorkspace(
  tx: Connection,
  { desired, because }: Extract<Effect, { kind: "workspace" }>,
  { lastBackupDays }: Parts,
  { accountId, held, now }: Pick<Carried, "accountId" | "held" | "now">,
): Promise<void> {
  const life = held?.deletedLife ?? null;
  // Held before the row begins its next life: from then on, it does not say any more which backups are the last one's.
  const last = desired === "running" && life !== null ? await holdLastBackup(tx, { accountId, life }, now) : null;
  const isChanged = await setDesiredState(tx, accountId, desired, journalLines(lastBackupDays)[because], now);
  if (!last) return;
  // Paid while the account is suspended: it comes back afterwards, if not too late.
  if (!isChanged) return void (await keepAtLeast(tx, last.id, after(now, lastBackupDays * dayMs)));
  // Paid before it was removed: it continues with everything.
  if ((await findWorkspace(tx, accountId))!.life === life) return;
  await restoreLastBackup(tx, last, { actor: (await findOwner(tx, accountId))?.fullName ?? "", days: lastBackupDays, now });
}

/** What the audit log records, without the provider's ids. */
function audited({
  status,
  planId,
  specId,
  customExecutions,
  customWorkflows,
  scheduledPlanId,
  periodEndsAt,
  cancelAt,
  deletionAt,
}: SubscriptionFields) {
  return { status, planId, specId, customExecutions, customWorkflows, scheduledPlanId, periodEndsAt, cancelAt, deletionAt };
}

/** The contents of the mails among the effects, in order; none for an account without an owner. */
async function mailsOf(
  tx: Connection,
  { lastBackupDays }: Parts,
  accountId: string,
  { held, plans, now, next: { row, effects } }: Standing & { next: Next },
): Promise<BillingMail[]> {
  const asked = effects.filter((effect) => effect.kind === "mail");
  const owner = asked.length > 0 ? await findOwner(tx, accountId) : null;
  if (!owner) return [];
  // Of a closed account, only money that moves is news: not the end of its trial.
  const hold = await whatHolds(tx, accountId);
  if (!isSold(stateOf(row)) && hold === "closed") return [];
  const { email, fullName, language, timezone, accountName } = owner;
  const planName = plans.get(row.planId)?.name ?? row.planId;
  const workspace = await findWorkspace(tx, accountId);
  // A payment clears it from the row, but not from what the mail is about.
  const life = row.deletedLife ?? held?.deletedLife ?? null;
  const last = life === null ? null : await findLastBackup(tx, { accountId, life }, now);
  const isBegun =
    effects.some((effect) => effect.kind === "workspace" && effect.desired === "running") && workspace !== null && startsAnew(workspace);
  return asked.map(({ name, at, refunded }) => ({
    name,
    accountId,
    email,
    fullName,
    language,
    timezone,
    accountName,
    at,
    planName,
    isTrial: stateOf(row) === "trial",
    nextPlanName: (row.scheduledPlanId && plans.get(row.scheduledPlanId)?.name) || planName,
    periodEndsAt: row.cancelAt ?? row.periodEndsAt,
    deletionAt: row.deletionAt,
    retries: row.retries.map(({ at: tried, outcome }) => ({ at: new Date(tried), outcome })),
    refunded: refunded ?? null,
    workspace: workspace?.desiredState === "deleted" ? (workspace.observedState === "deleted" ? "deleted" : "deleting") : "kept",
    lastBackup: last && { madeAt: last.createdAt, keptUntil: last.keptUntil! },
    begins: isBegun ? (last ? "restored" : "empty") : null,
    isSuspended: hold === "suspended",
    lastBackupDays,
  }));
}

/** Why a workspace stops, starts or is deleted, for the journal that its owner reads. */
const journalLines = (days: number): Readonly<Record<Extract<Effect, { kind: "workspace" }>["because"], JournalLine>> => ({
  "trial-ended": {
    event: "trial-ended",
    message: say("trialEnded", { days }),
  },
  paused: {
    event: "subscription-paused",
    message: say("subscriptionPaused", { days }),
  },
  "pause-requested": {
    event: "subscription-paused",
    message: say("pauseRequested"),
  },
  ended: {
    event: "subscription-ended",
    message: say("subscriptionEnded", { days }),
  },
  cancelled: {
    event: "subscription-ended",
    message: say("cancelledPlanEnded"),
  },
  "arranged-ended": {
    event: "subscription-ended",
    message: say("arrangedPlanEnded", { days }),
  },
  expired: {
    event: "expired",
    message: say("subscriptionExpired"),
  },
  paid: { event: "paid", message: say("paid") },
});
