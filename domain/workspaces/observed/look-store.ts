/**
 * The SQL of looks into a workspace: questions that only its own host can answer. The API stores a question and a worker answers it
 * (apps/provisioner/looks/answer-looks.ts); they share a row, so that they may run on different hosts.
 */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { workspaceLooks } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** PostgreSQL channel: a look was requested. Payload: the workspace's id. */
export const workspaceLook = "workspace_look";

export type LookKind = (typeof workspaceLooks.$inferSelect)["kind"];
export type Look = typeof workspaceLooks.$inferSelect;

/** Requests a look, replacing an unanswered one of this kind. */
export async function askLook(db: Connection, workspaceId: string, kind: LookKind, now: Date): Promise<void> {
  await db
    .insert(workspaceLooks)
    .values({ workspaceId, kind, askedAt: now })
    .onConflictDoUpdate({ target: [workspaceLooks.workspaceId, workspaceLooks.kind], set: { askedAt: now } });
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

/** Unanswered looks, oldest first, without those `inHand` ("workspaceId kind"). */
export async function listOpenLooks(db: Connection, most: number, inHand: readonly string[] = []): Promise<Look[]> {
  const isInHand = sql`(${workspaceLooks.workspaceId}::text || ' ' || ${workspaceLooks.kind}) = any(${`{${inHand.map((each) => `"${each}"`).join(",")}}`}::text[])`;
  return db
    .select()
    .from(workspaceLooks)
    .where(and(isNotNull(workspaceLooks.askedAt), sql`not ${isInHand}`))
    .orderBy(workspaceLooks.askedAt)
    .limit(most);
}

/** Writes the answer to this request, unless it was requested again meanwhile. */
export async function answerLook(db: Connection, { workspaceId, kind, askedAt }: Look, answer: unknown, now: Date): Promise<void> {
  await db
    .update(workspaceLooks)
    .set({ answer, answeredAt: now, askedAt: null })
    .where(and(eq(workspaceLooks.workspaceId, workspaceId), eq(workspaceLooks.kind, kind), eq(workspaceLooks.askedAt, askedAt!)));
}

/** Deletes looks requested before `before`, whose callers no longer wait. */
export async function dropOldLooks(db: Connection, before: Date): Promise<void> {
  await db
    .update(workspaceLooks)
    .set({ askedAt: null })
    .where(sql`${workspaceLooks.askedAt} < ${before.toISOString()}::timestamptz`);
}
