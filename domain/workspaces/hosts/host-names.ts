/** Names of hosts, and which workspaces belong to one. */
import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** The host of a service that has only one, or runs in a cluster. It must never change: it is a default in the database. */
export const mainHost = "main";

/** As in a host name, so that it can be part of one. */
export const hostNameShape = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** In `workspaces.arriving`: it starts empty; any files its host has belong to an earlier stay there. Must never change. */
export const nothingArrives = "00000000-0000-0000-0000-000000000000";

/**
 * In `workspaces.arriving`: its files were missing when its owner began to restore a backup. Until the backup is in place, files on its
 * host may be left over from that attempt, and it is never started with them. Must never change.
 */
export const nothingLeft = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** True unless another host has the workspace with this id. Any host may finish the work of a deleted one. */
export const isOfHost = (workspaceId: PgColumn, host: string): SQL =>
  sql`not exists (select from workspaces w where w.id = ${workspaceId} and w.host is distinct from ${host})`;
