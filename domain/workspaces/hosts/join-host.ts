/** How a host joins the service, the first time and again. */
import { and, count, eq, inArray, isNull, not, sql } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { hosts, workspaces } from "#database/tables.ts";
import { systemClock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { lockedInOrder } from "../in-order.ts";
import { writeJournal } from "../workspace-store.ts";
import { mainHost, nothingArrives } from "./host-names.ts";
import { keepFound, passNumbers, type HostContents } from "./found-store.ts";
import type { HostState } from "./host-store.ts";
import { isKept } from "./kept.ts";

/** What a host knows when it joins. */
interface JoiningHost extends HostState, Partial<HostContents> {}

/**
 * The worker of a host joins, holding the host's lock, before it looks at any workspace. From now on its workspaces are no longer restored
 * elsewhere, and those that no other host has taken yet are its own again, with its own files instead of their backups; if the host comes
 * back with another disk, only those whose files it has. After a restore of the database, what the host has and the database does not explain
 * is kept as it is. Returns whether it had been declared dead, and how many workspaces are kept.
 */
export async function joinHost(
  db: Database,
  { name, address, freeMb, stored, running = [], numbers = new Map() }: JoiningHost,
  now = systemClock.now(),
): Promise<{ wasLost: boolean; kept: number }> {
  return db.transaction(async (tx) => {
    // If two hosts join a new service at the same moment, one is the first.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('slipway hosts'))`);
    const [known] = await tx.select({ number: count() }).from(hosts);
    const [before] = await tx.select({ lostAt: hosts.lostAt }).from(hosts).where(eq(hosts.name, name)).for("update");
    const state = { address, freeMb, seenAt: sql`clock_timestamp()`, lostAt: null };
    await tx
      .insert(hosts)
      .values({ name, ...state })
      .onConflictDoUpdate({ target: hosts.name, set: state });
    // Workspaces requested before any worker had a name.
    if (known!.number === 0 && name !== mainHost)
      await tx
        .update(workspaces)
        .set({ host: name })
        .where(and(eq(workspaces.host, mainHost), eq(workspaces.observedState, "none"), isNull(workspaces.observedVersion)));
    await passNumbers(tx, { stored, running, numbers });
    const kept = await keepFound(tx, name, { stored, running, numbers });
    await takeBackLost(tx, { name, stored }, now);
    return { wasLost: before !== undefined && before.lostAt !== null, kept: Object.keys(kept).length };
  });
}

/** If another host takes one of them at this moment, this waits for the row, and then leaves it. */
async function takeBackLost(tx: Connection, { name: host, stored }: Pick<JoiningHost, "name" | "stored">, now: Date): Promise<void> {
  const isWaiting = and(isNull(workspaces.host), eq(workspaces.lostFrom, host), not(isKept), stored && inArray(workspaces.id, [...stored]));
  const taken = await tx
    .update(workspaces)
    .set({
      host,
      lostFrom: null,
      // One that starts empty was never used, or was deleted.
      arriving: sql`case when ${workspaces.arriving} = ${nothingArrives} then ${workspaces.arriving} end`,
    })
    .where(and(isWaiting, inArray(workspaces.id, lockedInOrder(tx, isWaiting))))
    .returning({ id: workspaces.id, desiredState: workspaces.desiredState, arriving: workspaces.arriving });
  const message = say("hostReturned");
  for (const { id, desiredState, arriving } of taken)
    if (desiredState !== "deleted" && arriving === null)
      await writeJournal(tx, id, { event: "host-returned", message, detail: `host ${host}` }, now);
}
