/**
 * Shares what is due among slots, by account: an account has one place, whatever is due for it, and its events keep their order.
 * Work that waits for a provider leaves its slot to others, so that any number of accounts whose calls hang costs nobody else
 * anything: they have no common bound, as there is at most one of each.
 */
import { sql } from "drizzle-orm";
import type { Connection } from "#platform/database.ts";
import { createSlots } from "#platform/loops/slots.ts";
import type { Billing } from "../billing.ts";
import { handleEventsOf, handleNamelessEvent, sortEvents } from "./handle-events.ts";
import { runTimersOf } from "../subscription/run-timers.ts";

export interface Dealer {
  /** Begins what is due and has a slot; says how much it has begun. */
  deal(): Promise<number>;
  /** Begins this beside the rest, in its turn; `key` is what it is for: what is under way for it already is left alone. */
  begin(key: string, work: () => Promise<unknown>): boolean;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

const slotsAtOnce = 8;
/** Longer than the database takes, shorter than anybody notices. */
const patienceMs = 250;

/** `wake` is called when something more may be begun. */
export function createDealer(billing: Billing, wake: () => void): Dealer {
  const slots = createSlots({ most: slotsAtOnce, patienceMs, onFree: wake });
  const underWay = new Map<string, Promise<void>>();

  function begin(key: string, work: () => Promise<unknown>): boolean {
    if (underWay.has(key)) return false;
    const done = slots
      .run(work)
      .catch((error: unknown) => billing.log.warn({ err: error, work: key }, "what is due could not be done; it is tried again"))
      .then(() => void underWay.delete(key));
    underWay.set(key, done);
    return true;
  }

  return {
    begin,
    async deal() {
      const nameless = await sortEvents(billing);
      for (const event of nameless) begin(`event ${event.eventId}`, () => handleNamelessEvent(billing, event).then(wake));
      let begun = nameless.length;
      for (let free = slots.free(); free > 0; free = slots.free()) {
        const due = await findDueAccounts(billing.db, billing.clock.now(), [...underWay.keys()], free);
        // Whoever did nothing is held by somebody else: looked at again with the next sweep, not at once.
        for (const accountId of due) begin(accountId, async () => ((await workOn(billing, accountId)) > 0 ? wake() : undefined));
        begun += due.length;
        if (due.length === 0) break;
      }
      return begun;
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

/** Events first, for what they tell may spare a timer its question. */
async function workOn(billing: Billing, accountId: string): Promise<number> {
  let done = 0;
  for (let more = 1; more > 0; done += more) more = (await handleEventsOf(billing, accountId)) + (await runTimersOf(billing, accountId));
  return done;
}

/** Up to `most` accounts with a due event or timer that nobody else handles, longest waiting first, without those named. */
async function findDueAccounts(db: Connection, now: Date, without: readonly string[], most: number): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const named = sql`array(select jsonb_array_elements_text(${JSON.stringify(without)}::jsonb))`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select due.id from (
      select owner_id as id, run_at from provider_events
      where run_at <= ${at} and owner_id is not null and not exists (select 1 from billing_lanes where account_id = owner_id and taken_until > ${at})
      union all
      select account_id, run_at from timers where run_at <= ${at} and exists (select 1 from subscriptions where subscriptions.account_id = timers.account_id)
    ) due
    where due.id::text <> all (${named})
    group by due.id order by min(due.run_at) limit ${most}`);
  return rows.map(({ id }) => id);
}
