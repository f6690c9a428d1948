/**
 * The SQL of looks into a workspace: questions that only its own host can answer. The API stores a question and a worker answers it
 * (apps/provisioner/looks/answer-looks.ts); they share a row, so that they may run on different hosts.
 */
import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { workspaceLooks } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows, isFree, leaseFor } from "#platform/postgres/claim-rows.ts";
import { isOfHost, mainHost } from "../hosts/host-names.ts";

/** PostgreSQL channel: a look was requested. Payload: the workspace's id. */
export const workspaceLook = "workspace_look";

export type LookKind = (typeof workspaceLooks.$inferSelect)["kind"];
export type Look = typeof workspaceLooks.$inferSelect;

/** Requests a look, replacing an unanswered one of this kind. */
export async function askLook(db: Connection, workspaceId: string, kind: LookKind, now: Date): Promise<void> {
  await db
    .insert(workspaceLooks)
    .values({ workspaceId, kind, askedAt: now })
    .onConflictDoUpdate({ target: [workspaceLooks.workspaceId, workspaceLooks.kind], set: { askedAt: now, leaseUntil: null } });
  await db.execute(sql`select pg_notify(${workspaceLook}, ${workspaceId})`);
}

/** The look with its last answer; undefined if none was ever requested. */
export async function readLook(db: Connection, workspaceId: string, kind: LookKind): Promise<Look | undefined> {
  const found = await db
    .select()
    .from(workspaceLooks)
    .where(and(eq(workspaceLooks.workspaceId, workspaceId), eq(workspaceLooks.kind, kind)));
  return found[0];
}

/**
 * Takes unanswered looks at workspaces of this host, the oldest first, for so many seconds, without those `inHand` ("workspaceId kind") and
 * those that another worker has taken. A question whether output is followed goes only to the worker that follows it, if that has confirmed
 * so recently.
 */
export async function claimLooks(
  db: Connection,
  {
    most,
    seconds,
    inHand = [],
    followers,
    host = mainHost,
  }: { most: number; seconds: number; inHand?: readonly string[]; followers?: { worker: string; since: Date }; host?: string },
): Promise<Look[]> {
  const isInHand = sql`(${workspaceLooks.workspaceId}::text || ' ' || ${workspaceLooks.kind}) = any(${`{${inHand.map((each) => `"${each}"`).join(",")}}`}::text[])`;
  const isForUs = followers
    ? sql`(${workspaceLooks.kind} <> 'follow-logs' or coalesce(${workspaceLooks.answeredAt}, '-infinity') <= ${followers.since.toISOString()}::timestamptz
        or coalesce(${workspaceLooks.answer} ->> 'worker', ${followers.worker}) = ${followers.worker})`
    : undefined;
  const { workspaceId, askedAt, leaseUntil } = workspaceLooks;
  return claimRows(db, workspaceLooks, {
    key: sql`ctid`,
    due: and(isNotNull(askedAt), isFree(leaseUntil), sql`not ${isInHand}`, isForUs, isOfHost(workspaceId, host)),
    order: [askedAt],
    most,
    set: { leaseUntil: leaseFor(seconds) },
  }).returning();
}

/** Writes the answer to this request, unless a new request has replaced it. An unchanged answer is not written again. */
export async function answerLook(
  db: Connection,
  { workspaceId, kind, askedAt, answer: before }: Look,
  answer: unknown,
  now: Date,
): Promise<void> {
  const isSame = isDeepStrictEqual(answer, before);
  await db
    .update(workspaceLooks)
    .set({ ...(!isSame && { answer }), answeredAt: now, askedAt: null, leaseUntil: null })
    .where(and(eq(workspaceLooks.workspaceId, workspaceId), eq(workspaceLooks.kind, kind), eq(workspaceLooks.askedAt, askedAt!)));
}

/** Stores what a workspace reports without being asked. An unchanged report is not written again. */
export async function keepSaid(tx: Connection, workspaceId: string, kind: LookKind, answer: object, now: Date): Promise<void> {
  await tx
    .insert(workspaceLooks)
    .values({ workspaceId, kind, answer, answeredAt: now })
    .onConflictDoUpdate({
      target: [workspaceLooks.workspaceId, workspaceLooks.kind],
      set: { answer: sql`excluded.answer`, answeredAt: now },
      setWhere: sql`${workspaceLooks.answer} is distinct from excluded.answer`,
    });
}

/** Deletes looks requested before `before`, whose callers no longer wait. */
export async function dropOldLooks(db: Connection, before: Date): Promise<void> {
  await db
    .update(workspaceLooks)
    .set({ askedAt: null })
    .where(sql`${workspaceLooks.askedAt} < ${before.toISOString()}::timestamptz`);
}

/** Output that this worker no longer follows: any worker may answer the next question about it. */
export async function leaveFollowed(db: Connection, workspaceIds: readonly string[]): Promise<void> {
  if (workspaceIds.length === 0) return;
  await db
    .update(workspaceLooks)
    .set({ answeredAt: null })
    .where(and(inArray(workspaceLooks.workspaceId, [...workspaceIds]), eq(workspaceLooks.kind, "follow-logs")));
}

/** Deletes what was read of a workspace that is gone: its output may contain anything that was in it. */
export async function forgetLooks(db: Connection, workspaceId: string): Promise<void> {
  await db.delete(workspaceLooks).where(eq(workspaceLooks.workspaceId, workspaceId));
}

/** Deletes an answer that was read and is too large to be kept; a newer one stays. */
export async function forgetAnswer(db: Connection, { workspaceId, kind, answeredAt }: Look): Promise<void> {
  await db
    .update(workspaceLooks)
    .set({ answer: null })
    .where(and(eq(workspaceLooks.workspaceId, workspaceId), eq(workspaceLooks.kind, kind), eq(workspaceLooks.answeredAt, answeredAt!)));
}
