/** The SQL of owners' workspace settings. */
import { eq, sql } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { dueNow } from "../observed/due-store.ts";
import type { Settings } from "./settings-revision.ts";
import type { WorkspaceRow } from "../workspace-store.ts";

/** The account's workspace; other changes of it wait until this transaction ends. */
export async function lockWorkspace(tx: Connection, accountId: string): Promise<WorkspaceRow | null> {
  const found = await tx.select().from(workspaces).where(eq(workspaces.accountId, accountId)).for("update");
  return found[0] ?? null;
}

/** Like the above, for a workspace that is not deleted or being deleted. Throws workspace_not_found if the account has none. */
export async function lockLivingWorkspace(tx: Connection, accountId: string): Promise<WorkspaceRow> {
  const row = await lockWorkspace(tx, accountId);
  if (!row || row.desiredState === "deleted") throw new AppError("workspace_not_found");
  return row;
}

/** Restarts a running workspace whose process cannot take new variables. */
export async function restartForVariables(tx: Connection, id: string, now: Date): Promise<void> {
  await tx
    .update(workspaces)
    .set({ generation: sql`${workspaces.generation} + 1`, ...dueNow(now) })
    .where(eq(workspaces.id, id));
}

/** Replaces settings. With `restart`, the generation grows and the workspace is due now; failures still count. Returns the new row. */
export async function saveSettings(
  tx: Connection,
  id: string,
  settings: Partial<Settings>,
  { restart, now }: { restart: boolean; now: Date },
): Promise<WorkspaceRow> {
  const grown = restart ? { generation: sql`${workspaces.generation} + 1`, ...dueNow(now) } : {};
  const changed = await tx
    .update(workspaces)
    // In another timezone, the night is at another time.
    .set({ ...settings, ...grown, ...(settings.timezone !== undefined && { nightlyAt: now }) })
    .where(eq(workspaces.id, id))
    .returning();
  return changed[0]!;
}
