/** The SQL of subscriptions, and the one way a row changes: under its lock, with its timers and everything that follows from it. */
import { and, asc, eq, isNull } from "drizzle-orm";
import { accounts, subscriptions, users } from "#database/tables.ts";
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { entitlementsChanged } from "#domain/workspaces/wanted/entitlements-changed.ts";
import { setWorkspaceMemory, wantWorkspace } from "#domain/workspaces/wanted/want-workspace.ts";
import { after } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import type { Actor, Billing } from "../billing.ts";
import { countCorrection } from "../count-correction.ts";
import { memoryOf, type Plans } from "#domain/plans/plan-facts.ts";
import type { Effect, Next } from "./subscription-machine.ts";
import { workspaceLine } from "./workspace-line.ts";
import { isRunning, stateOf, type SubscriptionFields, type SubscriptionRow } from "./subscription-states.ts";
import { lastBackupKeptMs, timerChanges } from "./subscription-timers.ts";
import { changeTimers } from "./timer-store.ts";

/** The account's subscription, or null. */
export async function findSubscription(db: Connection, accountId: string): Promise<SubscriptionRow | null> {
  const found = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).limit(1);
  return found[0] ?? null;
}

/** The same, locked until the transaction ends. Without a row the account's own is locked, so that two first purchases don't meet. */
export async function lockSubscription(db: Connection, accountId: string): Promise<SubscriptionRow | null> {
  const lock = async () => (await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).for("update"))[0];
  const held = await lock();
  if (held) return held;
  await lockAccount(db, accountId);
  return (await lock()) ?? null;
}

/** The account that a provider's event is about, by what it names; null where nobody is. */
export async function findAccountOf(
  db: Connection,
  provider: SubscriptionRow["provider"] & string,
  named: { subscriptionId: string | null; customerId: string | null; accountId: string | null },
): Promise<string | null> {
  const by = async (...conditions: Parameters<typeof and>) =>
    (
      await db
        .select({ id: subscriptions.accountId })
        .from(subscriptions)
        .where(and(...conditions))
        .limit(1)
    )[0]?.id;
  const ofProvider = eq(subscriptions.provider, provider);
  if (named.subscriptionId) {
    const found = await by(ofProvider, eq(subscriptions.providerSubscriptionId, named.subscriptionId));
    if (found) return found;
  }
  if (named.accountId && isUuid.test(named.accountId)) {
    const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, named.accountId)).limit(1);
    if (found[0]) return found[0].id;
  }
  if (!named.customerId) return null;
  const ofCustomer = eq(subscriptions.providerCustomerId, named.customerId);
  // Whose plan is given by hand now, and who paid the provider before.
  return (await by(ofCustomer, ofProvider)) ?? (await by(ofCustomer, isNull(subscriptions.provider))) ?? null;
}
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The columns whose change is no news to anybody: a preview stays good over them. */
const quiet: ReadonlySet<string> = new Set(["providerChangedAt", "retries", "creditAmount", "warnedAt"]);

const plain = (value: unknown) => (value instanceof Date ? value.getTime() : JSON.stringify(value));
const changedColumns = (held: SubscriptionRow | null, row: SubscriptionFields): string[] =>
  Object.keys(row).filter(
    (column) =>
      column !== "version" && plain(row[column as keyof SubscriptionFields]) !== plain(held?.[column as keyof SubscriptionFields]),
  );

export interface Saving {
  billing: Pick<Billing, "clock" | "log" | "renderMail" | "workspaceMemoryMb">;
  accountId: string;
  /** As locked in this transaction. */
  held: SubscriptionRow | null;
  next: Next;
  plans: Plans;
  actor: Actor;
  /** As of when, for timers; the clock, where nothing else is said. */
  asOf?: Date;
}

/** Writes what the machine decided, in the transaction that holds the lock. True when the row changed. */
export async function saveSubscription(tx: Connection, { billing, accountId, held, next, plans, actor, asOf }: Saving): Promise<boolean> {
  const now = billing.clock.now();
  const changed = changedColumns(held, next.row);
  if (changed.length > 0) {
    const isNews = changed.some((column) => !quiet.has(column));
    const { version: _old, ...fields } = next.row as SubscriptionRow;
    const row = { ...fields, version: (held?.version ?? 0) + (isNews || !held ? 1 : 0) };
    if (held) await tx.update(subscriptions).set(row).where(eq(subscriptions.accountId, accountId));
    else await tx.insert(subscriptions).values(row);
    await changeTimers(tx, accountId, timerChanges(held, next.row, asOf ?? now));
    if (isNews) await followPlan(tx, { billing, accountId, held, next, plans, actor });
  }
  for (const effect of next.effects) await doEffect(tx, effect, { billing, accountId, held, next, plans, actor });
  return changed.length > 0;
}

/** The workspace hears of its plan, and gets its memory at its next start. */
async function followPlan(tx: Connection, { billing, accountId, held, next: { row }, plans }: Saving): Promise<void> {
  if (held?.specId !== row.specId && isRunning(stateOf(row))) {
    const plan = [...plans.values()].find(({ specId }) => specId === row.specId);
    const memoryMb = plan && memoryOf(plan, billing);
    if (memoryMb) await setWorkspaceMemory(tx, accountId, memoryMb);
  }
  await entitlementsChanged(tx, accountId, billing.clock.now());
}

async function doEffect(tx: Connection, effect: Effect, saving: Saving): Promise<void> {
  const { billing, accountId, held, next, actor } = saving;
  const now = billing.clock.now();
  switch (effect.kind) {
    case "mail":
      return sendMail(tx, effect, saving);
    case "workspace":
      await wantWorkspace(tx, accountId, effect.wanted, workspaceLine(effect.because), now);
      return;
    case "audit":
      return writeAudit(
        tx,
        {
          accountId,
          userId: actor.userId,
          action: effect.action,
          before: held && standing(held),
          after: { ...standing(next.row), ...(actor.operator ? { operator: actor.operator } : {}) },
          ...(actor.address ? { address: actor.address } : {}),
        },
        now,
      );
    case "correction":
      return countCorrection(tx, billing, { accountId, kind: effect.correction, detail: effect.detail });
  }
}

/** What an auditor asks for; no ids of the provider's customer. */
function standing({
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

async function sendMail(
  tx: Connection,
  { name, at, refunded }: Extract<Effect, { kind: "mail" }>,
  { billing, accountId, next: { row }, plans }: Saving,
): Promise<void> {
  const found = await tx
    .select({ email: users.email, fullName: users.fullName, accountName: accounts.name })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.accountId, accountId))
    .orderBy(asc(users.createdAt))
    .limit(1);
  if (!found[0]) return;
  const planName = plans.get(row.planId)?.name ?? row.planId;
  const mail = await billing.renderMail({
    name,
    accountId,
    ...found[0],
    at,
    planName,
    nextPlanName: (row.scheduledPlanId && plans.get(row.scheduledPlanId)?.name) || planName,
    periodEndsAt: row.cancelAt ?? row.periodEndsAt,
    deletionAt: row.deletionAt,
    retries: row.retries.map(({ at: tried, outcome }) => ({ at: new Date(tried), outcome })),
    refunded: refunded ?? null,
    backupUntil: name === "workspace-deleted" ? after(at, lastBackupKeptMs) : null,
  });
  if (mail) await queueMail(tx, mail, billing.clock.now());
}
