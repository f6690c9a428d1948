/** What happens to an account's workspace when its subscription begins, pauses or ends; the provisioner carries it out. */
import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import { whatHolds } from "#domain/accounts/suspension-store.ts";
import type { Connection } from "#platform/database.ts";
import { deletedAfterwards, forgottenOfTheLast } from "./renew-workspace.ts";
import { nothingArrives } from "../hosts/host-names.ts";
import { hostOfNew } from "../hosts/host-store.ts";
import { dueNow } from "../observed/due-store.ts";
import { beginStory } from "../stories/begin-story.ts";
import { announceWorkspace, writeJournal, type JournalLine } from "../workspace-store.ts";
import type { WorkspaceRow } from "../workspace-store.ts";

const stories = { running: "return", stopped: "pause", deleted: "deletion" } as const;

/**
 * In the caller's transaction. False if there is no workspace, or if its desired state is the same already; one deleted by its owner is not
 * stopped. A deleted one starts again empty. While its account is suspended or closed it is deleted, but neither started nor stopped: false,
 * and it becomes so afterwards.
 */
export async function setDesiredState(
  db: Connection,
  accountId: string,
  desired: WorkspaceRow["desiredState"],
  line: JournalLine,
  now: Date,
): Promise<boolean> {
  if (desired !== "deleted" && (await whatHolds(db, accountId))) {
    // One that is deleted by then is started by what starts it, and not stopped.
    const isOther = desired === "stopped" ? eq(workspaces.resumesAs, "running") : undefined;
    await db
      .update(workspaces)
      .set({ resumesAs: desired })
      .where(and(eq(workspaces.accountId, accountId), isOther));
    return false;
  }
  const found = await db
    .update(workspaces)
    .set({
      ...(desired === "running" ? anewWhereDeleted(now) : {}),
      desiredState: desired,
      ...(desired === "deleted" ? deletedAfterwards : {}),
      generation: sql`${workspaces.generation} + 1`,
      failures: 0,
      ...dueNow(now),
    })
    .where(
      and(
        eq(workspaces.accountId, accountId),
        ne(workspaces.desiredState, desired),
        ...(desired === "stopped" ? [eq(workspaces.desiredState, "running")] : []),
      ),
    )
    .returning({ id: workspaces.id });
  if (!found[0]) return false;
  // All stories of an earlier life end, whichever story begins.
  await beginStory(db, found[0].id, stories[desired], now);
  await writeJournal(db, found[0].id, line, now);
  const named = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  await announceWorkspace(db, found[0].id, named[0]!.name);
  return true;
}

/** Whether a workspace that is requested again starts anew: it is deleted, or its removal has begun. */
export const startsAnew = ({
  desiredState,
  observedState,
  observedVersion,
}: Pick<WorkspaceRow, "desiredState" | "observedState" | "observedVersion">): boolean =>
  desiredState === "deleted" && (observedState === "deleted" || observedVersion === null);

/** The columns reset for a workspace that is deleted, or whose removal has cleared its version. None for one that is only stopped. */
function anewWhereDeleted(now: Date): Record<string, SQL> {
  const isGone = sql`${workspaces.desiredState} = 'deleted' and (${workspaces.observedState} = 'deleted' or ${workspaces.observedVersion} is null)`;
  const forgotten = Object.entries(forgottenOfTheLast).map(([name, value]) => {
    const column = workspaces[name as keyof typeof forgottenOfTheLast];
    return [name, sql`case when ${isGone} then ${value === null ? sql`null` : sql.raw(`'${value}'`)} else ${column} end`] as const;
  });
  return {
    ...Object.fromEntries(forgotten),
    // One that is not removed completely stays on the host that has the rest of it.
    host: sql`case when ${isGone} and ${workspaces.observedState} = 'deleted' then ${hostOfNew} else ${workspaces.host} end`,
    arriving: sql`case when ${isGone} then ${nothingArrives}::uuid else ${workspaces.arriving} end`,
    life: sql`${workspaces.life} + case when ${isGone} then 1 else 0 end`,
    renewedAt: sql`case when ${isGone} then ${now.toISOString()}::timestamptz else ${workspaces.renewedAt} end`,
  };
}

/** Sets the memory of the account's workspace, effective from its next start. */
export async function setWorkspaceMemory(db: Connection, accountId: string, memoryMb: number): Promise<void> {
  await db
    .update(workspaces)
    .set({ memoryMb })
    .where(and(eq(workspaces.accountId, accountId), ne(workspaces.memoryMb, memoryMb)));
}
