/** A workspace as stored in the database. */
import type { workspaces } from "#database/tables.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;
