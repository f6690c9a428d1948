/**
 * Judges statements by what they read, in a fleet in which everything is overdue and a few accounts have long histories: at most 50 rows, and
 * 50 pages, for each row that is returned or changed.
 */
import { drizzle } from "drizzle-orm/node-postgres";
import * as tables from "#database/tables.ts";
import { readCustomerFacts } from "#domain/journeys/assist-customer/customer-facts.ts";
import { findDueAccounts } from "#domain/billing/provider-truth/deal-accounts.ts";
import { claimAgreedRefunds } from "#domain/billing/provider-truth/held-refund-store.ts";
import { claimNameless, claimNewOf, claimNextOf } from "#domain/billing/provider-truth/provider-event-store.ts";
import { claimOpenCheckouts } from "#domain/billing/purchases/checkout/checkout-store.ts";
import { firstDueTimer, lockDueAccount } from "#domain/billing/subscription/timer-store.ts";
import { findInvoiceBefore } from "#domain/invoices/invoice-store.ts";
import { listSentMails } from "#domain/mail/mail-store.ts";
import { listUpdates } from "#domain/updates/update-store.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { measureQuery, type Cost } from "../database/query-plans.ts";
import { createTestBilling } from "../payments/test-billing.ts";
import { fleetOf, longIds, overdueAndLong } from "./fleet-rows.ts";
import { hotWork, periodicWork, type Scene } from "./periodic-work.ts";

const mostPerRow = 50;
/** A statement that finds nothing, or changes one row with all its indexes, reads more than 50 pages for that row. */
const mostAtLeast = 150;

/** Lists that people see, and claims that periodic work makes on the way to what a test does not run. */
const moreWork: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "lists of one account": async ({ db, id, now }) => {
    await readJournal(db, id, { most: 20 });
    await readJournal(db, id, { most: 20, before: 2n ** 62n });
    await listUpdates(db, id, { before: now, most: 20 });
    await findInvoiceBefore(db, id, now);
    await listSentMails(db, 50);
    await readCustomerFacts(db, id);
  },
  "claims of billing": async ({ db, id, now }) => {
    await findDueAccounts(db, now, [], 8);
    await claimNameless(db, now, 100);
    await claimNextOf(db, id, now);
    await claimNewOf(db, id, 50);
    await claimOpenCheckouts(db, "sandbox", now, after(now, minuteMs), 50);
    await claimAgreedRefunds(db, "sandbox", now, after(now, minuteMs), 50);
    await lockDueAccount(db, now);
    await firstDueTimer(db, id, now);
  },
};

/** These do all that is due, at providers too: their claims are in `moreWork`. */
const doesItAll = ["domain/billing/provider-truth/billing-loop.ts", "domain/billing/reconcile/reconcile-loop.ts"];

/**
 * Statements that read more on purpose, by a part of their text. Those of the alarms and the fleet's figures count every workspace, in one
 * process at a time; the others read what is bounded otherwise.
 */
const allowed: readonly { text: RegExp; why: string }[] = [
  { text: /select cause, count\(\*\)::int as open/, why: "a promise's figures, over the fleet" },
  { text: /^\s*select count\(\*\)::int as times from workspaces/, why: "the fleet's figures" },
  { text: /^\s*select id from workspaces where desired_state = 'running' and case/, why: "who is down, over the fleet" },
  {
    text: /^select (?:case\s+when "desired_state"|"host", count|"reason_code", count|count\(\*\) from "workspaces" where \(not)/,
    why: "the fleet's figures",
  },
  { text: /^select \(case\s+when desired_state <> 'running' then 'stop'/, why: "the fleet's figures" },
  { text: /select distinct "workspace_id" as owner from "workspace_journal"/, why: "what was written in the last hours, hourly" },
  { text: /order by "workspaces"."used_at" nulls first/, why: "a host that an operator empties" },
  { text: /^update "backups" set "removal_/, why: "the first 1,000 that have expired, in one sweep a minute" },
  { text: /^delete from "\w+" where ctid = any/, why: "a batch of 1,000 old rows, hourly" },
  { text: /"weekExecutions"/, why: "one workspace's eight days, and its journal" },
  { text: /"fleet_update/, why: "an operator's plan" },
  { text: /fleet_update_workspaces/, why: "an operator's plan" },
  { text: /"workspace_journal"."event" in|coalesce\(max\(id\) filter \(where event = /, why: "one journal, of at most 2,000 lines" },
  { text: /where "workspaces"."created_at" > /, why: "launches of the last hour" },
];

/** Which statements read too much; empty if none. `rows`: accounts. With `asIfLarge`, by the plans of a large fleet. */
export async function judgePlans(rows: number, { asIfLarge, before = [] }: { asIfLarge: boolean; before?: string[] }): Promise<string[]> {
  await using world = await createTestBilling();
  const { pool, db: plain } = world.database;
  for (const statement of [...fleetOf(rows), ...overdueAndLong(rows)]) await plain.execute(statement);
  for (const statement of before) await pool.query(statement);
  let seen = new Map<string, unknown[]>();
  const db = drizzle(pool, { schema: tables, logger: { logQuery: (query, params) => void seen.set(query, params) } });
  const scene: Scene = { db, billing: world.billing, now: after(world.clock.now(), -minuteMs), id: longIds[2]!, worker: newId() };
  const found: string[] = [];
  for (const [name, work] of Object.entries({ ...periodicWork, ...hotWork, ...moreWork })) {
    if (typeof work === "string" || doesItAll.includes(name)) continue;
    seen = new Map();
    await work(scene);
    for (const [query, params] of seen) {
      if (/^\s*insert/i.test(query) || allowed.some(({ text }) => text.test(query))) continue;
      const cost = await measureQuery(pool, query, params, { asIfLarge });
      if (cost && isTooMuch(cost)) found.push(`${name}: ${JSON.stringify(cost)}: ${query.replaceAll(/\s+/g, " ")}`);
    }
  }
  return found;
}

const isTooMuch = ({ rowsRead, buffers, returned }: Cost): boolean =>
  Math.max(rowsRead, buffers) > Math.max(mostAtLeast, mostPerRow * returned);
