/**
 * Shares due work among slots by account. An account has one slot for everything that is due, and its events keep their order.
 * Work that waits for a provider gives its slot to others and queues for one after the answer, so accounts whose calls hang, or end
 * together, delay no one else. Hanging calls need no common limit, since each account has at most one.
 */
import { sql } from "drizzle-orm";
import type { Connection } from "#platform/database.ts";
import { gapIsOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { createSlots, type Slot } from "#platform/loops/slots.ts";
import { calledBy, type Calling } from "../ask-provider.ts";
import type { Billing } from "../billing.ts";
import { handleEventsOf, handleNamelessEvent, laneMs, sortEvents } from "./handle-events.ts";
import { isFreeLane } from "./lane-store.ts";
import { isFreeEvent } from "./provider-event-store.ts";
import { runTimersOf } from "../subscription/run-timers.ts";
import { isFreeTimer } from "../subscription/timer-store.ts";

export interface Dealer {
  /** Starts due work while slots are free; returns how many accounts it started. */
  deal(): Promise<number>;
  /**
   * Starts this when its turn comes, alongside other work, with a billing whose calls to other services don't hold its slot. `key` names
   * its subject; does nothing if work for it is already under way.
   */
  begin(key: string, work: (billing: Billing) => Promise<unknown>): boolean;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** Each uses one database connection at most: of the process's ten, six are left to workspaces, mails and pages. */
export const slotsAtOnce = 4;
/** Until then a call keeps its slot, so that a provider gets at most 40 new calls a second, which all of them allow. */
const patienceMs = 100;

/** `wake` is called when more work may be started. */
export function createDealer(billing: Billing, wake: () => void): Dealer {
  const slots = createSlots({ most: slotsAtOnce, onFree: wake });
  const underWay = new Map<string, Promise<void>>();

  function begin(key: string, work: (billing: Billing) => Promise<unknown>): boolean {
    if (underWay.has(key)) return false;
    const done = slots
      .run((slot) => work(outsideOf(slot, billing)))
      .catch((error: unknown) => billing.log.warn({ err: error, work: key }, "due billing work failed; it will be retried"))
      .then(() => void underWay.delete(key));
    underWay.set(key, done);
    return true;
  }

  return {
    begin,
    async deal() {
      const nameless = await sortEvents(billing);
      for (const event of nameless) begin(`event ${event.eventId}`, (own) => handleNamelessEvent(own, event).then(wake));
      let begun = nameless.length;
      for (let free = slots.free(); free > 0; free = slots.free()) {
        const due = await findDueAccounts(billing.db, billing.clock.now(), [...underWay.keys()], free);
        // An account with nothing done is held by another process: check it at the next sweep, not immediately.
        for (const accountId of due) begin(accountId, async (own) => ((await workOn(own, accountId)) > 0 ? wake() : undefined));
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

/** The same billing, whose calls to other services leave the slot while they take long. */
function outsideOf(slot: Slot, billing: Billing): Billing {
  const calling: Calling = (call) => slot.outside(call, patienceMs);
  return {
    ...billing,
    provider: calledBy(billing.provider, calling),
    settlePayments: (accountId, beside) => billing.settlePayments(accountId, beside, calling),
  };
}

/** Events first, since they may answer a timer's question. */
async function workOn(billing: Billing, accountId: string): Promise<number> {
  let done = 0;
  for (let more = 1; more > 0; done += more) more = (await handleEventsOf(billing, accountId)) + (await runTimersOf(billing, accountId));
  return done;
}

/** How many due rows are read for each account that is wanted, at first: an account has about ten events of a renewal. */
const rowsPerAccount = 10;

/**
 * Up to `most` accounts with a due event, or a timer that may run, which no other process handles, longest waiting first, except `without`.
 * Reads only the first due rows; if these belong to too few accounts, all of them.
 */
export async function findDueAccounts(db: Connection, now: Date, without: readonly string[], most: number): Promise<string[]> {
  const first = await readDueAccounts(db, now, without, { most, rows: rowsPerAccount * (most + without.length) });
  return first.length < most ? readDueAccounts(db, now, without, { most, rows: null }) : first;
}

async function readDueAccounts(
  db: Connection,
  now: Date,
  without: readonly string[],
  { most, rows: mostRows }: { most: number; rows: number | null },
): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const named = sql`array(select jsonb_array_elements_text(${JSON.stringify(without)}::jsonb))`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select due.id from (
      (select owner_id as id, run_at from provider_events
      where run_at <= ${at} and ${isFreeEvent} and owner_id is not null
        and not exists (select 1 from billing_lanes where account_id = owner_id and not ${isFreeLane(laneMs)})
      order by run_at limit ${mostRows}::int)
      union all
      (select account_id, run_at from timers
      where run_at <= ${at} and ${isFreeTimer} and not ${gapIsOpen}
        and exists (select 1 from subscriptions where subscriptions.account_id = timers.account_id)
      order by run_at limit ${mostRows}::int)
    ) due
    where due.id::text <> all (${named})
    group by due.id order by min(due.run_at) limit ${most}`);
  return rows.map(({ id }) => id);
}
