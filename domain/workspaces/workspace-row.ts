/** A workspace as the database holds it. */
import type { workspaces } from "#database/tables.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;
