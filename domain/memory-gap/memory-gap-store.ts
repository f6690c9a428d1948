/**
 * Whether the database may have forgotten something. Workers write a beat every minute. If the newest beat is old, the service stood still,
 * or the database was restored from a dump: what happened since then is known to the payment provider only. Until both were compared
 * (domain/billing/reconcile), nothing ends, nothing is deleted and no document gets a number. Callers check inside the transaction that
 * depends on it: a restored database brings its old beat along, so no process can miss it. Decision 0189.
 */
import { eq, sql } from "drizzle-orm";
import { providerEvents, serviceState, subscriptions } from "#database/tables.ts";
import { readState } from "#platform/postgres/service-state.ts";
import type { Connection } from "#platform/database.ts";

const key = "memory gap";

/** Longer than a restart, an update or a failover; a dump is rarely restored sooner. */
const longestSilence = sql`interval '10 minutes'`;
/** How far back a database without a beat, which an older release wrote, may have forgotten something. */
const unknownSince = sql`interval '30 days'`;

/** Thrown where a document would get its number. The work that needs it is repeated. */
export class MemoryGapOpen extends Error {
  override readonly name = "MemoryGapOpen";
  constructor(what: string) {
    super(`${what} waits until the database was compared with the payment provider (npm run ops -- reconcile)`);
  }
}

const value = serviceState.value;
const timeOf = (field: string) => sql`(${value} ->> ${sql.raw(`'${field}'`)})::timestamptz`;
const isStale = sql`${timeOf("beatAt")} < clock_timestamp() - ${longestSilence}`;

/**
 * Records that the service lives at `now` by its own clock; opens a gap if the last beat is too old, or older than `lastBeat`, the newest that
 * this process wrote: then the database was restored while it ran. Returns the beat.
 */
export async function beat(db: Connection, now: Date, lastBeat: string | null): Promise<string> {
  const at = sql`${now.toISOString()}::text`;
  const wasRestored = lastBeat === null ? sql`false` : sql`${timeOf("beatAt")} < ${lastBeat}::timestamptz`;
  const opened = sql`jsonb_build_object('gapSince', coalesce(nullif(${value} -> 'gapSince', 'null'), ${value} -> 'clockAt'), 'numbersKnown', false)`;
  const beaten = {
    value: sql`${value} || jsonb_build_object('beatAt', clock_timestamp(), 'clockAt', ${at})
      || case when ${isStale} or ${wasRestored} then ${opened} else '{}'::jsonb end`,
  };
  const beatAt = { beatAt: sql<string>`${value} ->> 'beatAt'` };
  const [known] = await db.update(serviceState).set(beaten).where(eq(serviceState.key, key)).returning(beatAt);
  if (known) return known.beatAt;
  // The first beat of this database asks all subscriptions whether there is something to forget.
  const isBought = sql`exists (select 1 from ${subscriptions} where ${subscriptions.provider} is not null)`;
  const newestEvent = sql`(select max(${providerEvents.receivedAt}) from ${providerEvents})`;
  const firstGap = sql`case when ${isBought} then coalesce(${newestEvent}, ${at}::timestamptz - ${unknownSince}) end`;
  const [row] = await db
    .insert(serviceState)
    .values({
      key,
      value: sql`jsonb_build_object('beatAt', clock_timestamp(), 'clockAt', ${at}, 'gapSince', ${firstGap}, 'numbersKnown', false, 'reconciledAt', null)`,
    })
    .onConflictDoUpdate({ target: serviceState.key, set: beaten })
    .returning(beatAt);
  return row!.beatAt;
}

/**
 * After a dump was restored: its last beat counts as old, however fresh the dump is, so that the next beat opens a gap. A database without a
 * beat is left as it is: its first one looks for what may be forgotten.
 */
export async function ageBeat(db: Connection): Promise<void> {
  await db
    .update(serviceState)
    .set({ value: sql`${value} || jsonb_build_object('beatAt', to_timestamp(0))` })
    .where(eq(serviceState.key, key));
}

export interface MemoryGap {
  /** The last moment, by the service's clock, of which the database surely knows everything; null: there is no gap. */
  since: Date | null;
  /** When everything was last compared with the provider; null: never. */
  reconciledAt: Date | null;
}

/** The gap, if there is one; as of the last beat. */
export async function readMemoryGap(db: Connection): Promise<MemoryGap> {
  const { gapSince, reconciledAt } = ((await readState(db, key)) ?? {}) as { gapSince?: string | null; reconciledAt?: string | null };
  return { since: gapSince ? new Date(gapSince) : null, reconciledAt: reconciledAt ? new Date(reconciledAt) : null };
}

/**
 * Whether there is a gap, or may be one that no beat has noticed yet. `numbers`: false as soon as the provider's copies of our document
 * numbers were read, before the rest is compared. Always false in a database in which no worker ever ran.
 */
export async function isGapOpen(db: Connection, what: "endings" | "numbers" = "endings"): Promise<boolean> {
  const holds =
    what === "numbers"
      ? sql`${value} ->> 'gapSince' is not null and not coalesce((${value} ->> 'numbersKnown')::boolean, false)`
      : sql`${value} ->> 'gapSince' is not null`;
  const [row] = await db
    .select({ isOpen: sql<boolean>`(${holds}) or ${isStale}` })
    .from(serviceState)
    .where(eq(serviceState.key, key))
    .limit(1);
  return row?.isOpen ?? false;
}

/** The same for endings, as a condition of a larger statement. */
export const gapIsOpen = sql`exists (select 1 from ${serviceState} where ${serviceState.key} = ${key} and (${value} ->> 'gapSince' is not null or ${isStale}))`;

/** From now on documents may be numbered: the numbers that were given before are known. */
export async function noteNumbersKnown(db: Connection): Promise<void> {
  await db
    .update(serviceState)
    .set({ value: sql`${value} || '{"numbersKnown": true}'::jsonb` })
    .where(eq(serviceState.key, key));
}

/** Everything since `since` was compared: closes that gap, but not one that was noticed in the meantime. */
export async function closeMemoryGap(db: Connection, since: Date | null, now: Date): Promise<void> {
  const isSame = since ? sql`${timeOf("gapSince")} >= ${since.toISOString()}::timestamptz` : sql`false`;
  await db
    .insert(serviceState)
    .values({
      key,
      value: sql`jsonb_build_object('beatAt', clock_timestamp(), 'clockAt', ${now.toISOString()}::text, 'reconciledAt', ${now.toISOString()}::text)`,
    })
    .onConflictDoUpdate({
      target: serviceState.key,
      set: {
        value: sql`${value} || jsonb_build_object('reconciledAt', ${now.toISOString()}::text)
          || case when ${isSame} then jsonb_build_object('gapSince', null) else '{}'::jsonb end`,
      },
    });
}
