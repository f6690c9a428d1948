/**
 * A deleted workspace is gone with everything in it; its row stays, with its journal and its secrets, and is used again for the account's
 * next one. The secrets are kept because the last backup can only be read with them.
 */
import { and, eq, sql } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { refuseHeld } from "#domain/accounts/suspension-store.ts";
import type { Connection } from "#platform/database.ts";
import { nothingArrives } from "../hosts/host-names.ts";
import { hostOfNew } from "../hosts/host-store.ts";
import { dueNow } from "../observed/due-store.ts";
import { neverSetUp } from "../observed/never-set-up.ts";
import { beginStory } from "../stories/begin-story.ts";
import type { WorkspaceRow } from "../workspace-store.ts";

/** The columns that are reset, so that the new workspace begins empty. */
export const forgottenOfTheLast = {
  observedState: "none",
  ...neverSetUp,
  restartAskedAt: null,
  reason: null,
  reasonCode: null,
  startedAt: null,
  unhealthySince: null,
  failures: 0,
} as const satisfies Partial<WorkspaceRow>;

/** Deleted while its account is suspended, it stays deleted afterwards. */
export const deletedAfterwards = {
  resumesAs: sql`case when ${workspaces.resumesAs} is not null then 'deleted' end`,
};

/**
 * Requests a new workspace in place of the deleted one, due immediately. Null if there is none that is completely deleted. Throws AppError
 * `account_suspended` or `account_closed`.
 */
export async function renewWorkspace(
  tx: Connection,
  accountId: string,
  desired: Pick<WorkspaceRow, "desiredVersion" | "timezone" | "memoryMb">,
  now: Date,
): Promise<WorkspaceRow | null> {
  await refuseHeld(tx, accountId);
  const renewed = await tx
    .update(workspaces)
    .set({
      ...forgottenOfTheLast,
      ...desired,
      desiredState: "running",
      host: hostOfNew,
      arriving: nothingArrives,
      renewedAt: now,
      life: sql`${workspaces.life} + 1`,
      generation: sql`${workspaces.generation} + 1`,
      ...dueNow(now),
    })
    .where(and(eq(workspaces.accountId, accountId), eq(workspaces.desiredState, "deleted"), eq(workspaces.observedState, "deleted")))
    .returning();
  return renewed[0] ? beginStory(tx, renewed[0].id, "renewal", now) : null;
}

/** Requests the deletion of the workspace; if `life` is given, only of that life. Null if there is none, or it is being deleted already. */
export async function requestDeletion(tx: Connection, accountId: string, now: Date, life?: number): Promise<WorkspaceRow | null> {
  const asked = await tx
    .update(workspaces)
    .set({
      desiredState: "deleted",
      ...deletedAfterwards,
      generation: sql`${workspaces.generation} + 1`,
      failures: 0,
      reason: null,
      reasonCode: null,
      ...dueNow(now),
    })
    .where(
      and(
        eq(workspaces.accountId, accountId),
        sql`${workspaces.desiredState} <> 'deleted'`,
        ...(life === undefined ? [] : [eq(workspaces.life, life)]),
      ),
    )
    .returning();
  return asked[0] ? beginStory(tx, asked[0].id, "deletion", now) : null;
}
