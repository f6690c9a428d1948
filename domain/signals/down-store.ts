/**
 * Since when each workspace that should answer does not. No step of the reconciler records it: whatever forgets a workspace would forget
 * that as well. Each look compares the rows with the last one, in a single row that is locked meanwhile, so any number of processes may look.
 */
import { eq, inArray, sql } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import { changeState, readState } from "#platform/postgres/service-state.ts";
import { after, minuteMs, sinceMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";

const key = "down since";

/** Longer than a start, an update or a restore of a healthy workspace takes. */
export const downAfterMs = 15 * minuteMs;
/** The operator's list names the first ones; the number says how many there are. */
const mostNamed = 5;

export interface Down {
  /** Workspaces that should answer, or wake when they are visited. */
  expected: number;
  /** Of these, those that have not answered for fifteen minutes. */
  down: number;
  /** How long the first of all has not answered, in seconds; 0: all do. */
  oldestSeconds: number;
  /** The accounts of those down longest. */
  accounts: string[];
}

/**
 * Asleep is up, until a request has to wait for it. One that is launched is down until it is online: its owner waits. A workspace in
 * maintenance, without a plan, or deleted should not run.
 */
export const isDown = sql`desired_state = 'running' and case when asleep_since is null
  then observed_state <> 'online' or unhealthy_since is not null else wake_asked_at is not null end`;

/** By workspace. */
type Since = Record<string, string>;

/** Compares once more, and returns what is down now. */
export async function noteDown(db: Database, now: Date): Promise<Down> {
  return changeState(db, { key, first: {} as Since }, async (known, tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`select id from workspaces where ${isDown}`);
    const since = Object.fromEntries(rows.map(({ id }) => [id, sinceOf(known[id], now)]));
    const { longest, ...found } = describe(await countExpected(tx), since, now);
    return { next: since, result: { ...found, accounts: await namesOf(tx, longest) } };
  });
}

/** A time ahead was written before a clock was set back: it begins anew. */
function sinceOf(known: string | undefined, now: Date): string {
  return known !== undefined && new Date(known) <= after(now, minuteMs) ? known : now.toISOString();
}

/** What the last look found, without another one. */
export async function readDown(db: Connection, now: Date): Promise<Omit<Down, "accounts">> {
  return describe(await countExpected(db), ((await readState(db, key)) ?? {}) as Since, now);
}

function describe(expected: number, since: Since, now: Date): Omit<Down, "accounts"> & { longest: string[] } {
  const ages = Object.entries(since)
    .map(([id, at]) => ({ id, ms: sinceMs(new Date(at), now) }))
    .toSorted((a, b) => b.ms - a.ms);
  const down = ages.filter(({ ms }) => ms >= downAfterMs);
  return {
    expected,
    down: down.length,
    oldestSeconds: Math.max(0, (ages[0]?.ms ?? 0) / 1000),
    longest: down.slice(0, mostNamed).map(({ id }) => id),
  };
}

/** The accounts of these workspaces, in their order. */
async function namesOf(tx: Connection, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: workspaces.id, name: accounts.name })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(inArray(workspaces.id, [...ids]));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => names.get(id) ?? []);
}

async function countExpected(db: Connection): Promise<number> {
  const counted = await db.execute<{ times: number }>(sql`select count(*)::int as times from workspaces where desired_state = 'running'`);
  return counted.rows[0]!.times;
}
