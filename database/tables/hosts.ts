/** Hosts: machines with a worker and a gateway that run workspaces. */
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";

/**
 * One row per host that has workspaces or may get some. A cluster counts as one host, shared by all of its workers. Times are by the
 * database's clock.
 */
export const hosts = pgTable("hosts", {
  /** `HOST_NAME` of its processes. */
  name: text().primaryKey(),
  /** `host:port` at which gateways of other hosts reach its gateway; null: they cannot. */
  address: text(),
  /** Memory for more workspaces, in MB: what its worker measured, minus what has been placed there since. */
  freeMb: integer("free_mb").notNull().default(0),
  /** Time of its worker's last heartbeat. */
  seenAt: at("seen_at").notNull(),
  /** Since when its workspaces have been moved to others and no new ones placed there. */
  drainingSince: at("draining_since"),
  /** When an operator declared it dead: its workspaces are restored elsewhere, and its worker may do nothing until it has joined again. */
  lostAt: at("lost_at"),
});
