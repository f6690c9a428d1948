/** What needs an operator now, named one by one: the alarms count it. For the command `troubles`. */
import { and, asc, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { accounts, backups, mails, workspaces } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { isDown } from "./down-store.ts";

/** The alarm counts those of a day; an operator may come back from a weekend. */
const mailsSinceMs = 3 * dayMs;
/** A workspace is backed up every night. */
const backupsSinceMs = 2 * dayMs;

export interface DownWorkspace {
  accountName: string;
  host: string | null;
  state: string;
  /** Why, by code; null: it has not answered, or nothing was seen yet. */
  reasonCode: string | null;
  failures: number;
}

/** Workspaces that should answer, or wake when they are visited, and do not; by account name. */
export async function listDown(db: Connection, most: number): Promise<DownWorkspace[]> {
  return db
    .select({
      accountName: accounts.name,
      host: workspaces.host,
      state: workspaces.observedState,
      reasonCode: workspaces.reasonCode,
      failures: workspaces.failures,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(isDown)
    .orderBy(asc(accounts.name))
    .limit(most);
}

/** The newest failed backup of each workspace that has had no successful one since, in the last two days. */
export async function listFailedBackups(
  db: Connection,
  now: Date,
  most: number,
): Promise<{ accountName: string; kind: string; createdAt: Date; reason: string | null }[]> {
  const rows = await db
    .selectDistinctOn([backups.workspaceId], {
      accountName: accounts.name,
      kind: backups.kind,
      state: backups.state,
      createdAt: backups.createdAt,
      reason: backups.reason,
    })
    .from(backups)
    .innerJoin(accounts, eq(accounts.id, backups.accountId))
    .where(and(gte(backups.createdAt, after(now, -backupsSinceMs)), inArray(backups.state, ["successful", "failed"])))
    .orderBy(backups.workspaceId, desc(backups.createdAt));
  return rows
    .filter(({ state }) => state === "failed")
    .map(({ state: _failed, ...row }) => row)
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .slice(0, most);
}

/** Mails that were given up within the last three days, the oldest first. */
export async function listGivenUpMails(
  db: Connection,
  now: Date,
  most: number,
): Promise<{ id: string; recipient: string; subject: string; lastError: string | null }[]> {
  return db
    .select({ id: mails.id, recipient: mails.recipient, subject: mails.subject, lastError: mails.lastError })
    .from(mails)
    .where(and(gte(mails.failedAt, after(now, -mailsSinceMs)), isNull(mails.sentAt)))
    .orderBy(sql`${mails.createdAt}`)
    .limit(most);
}
