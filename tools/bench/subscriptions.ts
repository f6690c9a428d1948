/** Whether billing's work grows with what is due, rather than with the number of subscriptions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrate } from "#database/migrate.ts";
import { absentProvider } from "#testing/payments/absent-provider.ts";
import type { Billing } from "#domain/billing/billing.ts";
import { doWhatIsDue } from "#domain/billing/provider-truth/billing-loop.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { openDatabase, type Database } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { createSecrets } from "#platform/secrets.ts";
import type { BenchRow } from "./bench-row.ts";

const many = 100_000;
/** 1 % of the many: all of the few. */
const due = 1_000;
/** The best round counts, since other work on the machine only adds time. */
const rounds = 3;
const now = new Date("2027-01-10T09:00:00Z");

/** The same thousand timers, among a thousand subscriptions and among a hundred thousand. */
export async function benchSubscriptions(): Promise<BenchRow> {
  const dataDir = await mkdtemp(join(tmpdir(), "slipway-bench-billing-"));
  const log = createLog("error");
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: {} });
  const database = openDatabase(postgres.connection, log, { max: 4 });
  const { db, close } = database;
  try {
    await migrate(database, log);
    await savePlans(db, readCatalogue(), now);
    const billing = billingOn(db);
    const best = async () => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await makeDue(db);
        times.push(await measure(billing));
      }
      return Math.min(...times);
    };
    await addSubscriptions(db, 0, due);
    await measure(billing);
    const few = await best();
    await addSubscriptions(db, due, many);
    await measure(billing);
    const whole = await best();
    const ratio = whole / few;
    return {
      what: `${due} due timers among ${many} subscriptions against the same among ${due}`,
      ratio,
      budget: "≤ 1.5",
      ok: ratio <= 1.5,
      detail: `${Math.round(whole)} ms against ${Math.round(few)} ms`,
    };
  } finally {
    await close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function billingOn(db: Database): Billing {
  return {
    db,
    clock: { now: () => now },
    log: createLog("silent"),
    secrets: createSecrets("a key for measurements, long enough"),
    provider: absentProvider,
    publicUrl: "http://localhost:3000",
    renderMail: ({ name, email }) => Promise.resolve({ recipient: email, subject: name, text: "", html: "" }),
    settlePayments: () => Promise.resolve(),
    leastNoticeMs: 0,
    lastBackupDays: 30,
  };
}

async function measure(billing: Billing): Promise<number> {
  const start = performance.now();
  await doWhatIsDue(billing);
  return performance.now() - start;
}

/** Numbers `from` to `to`, each in the middle of its trial, with its own timers. */
async function addSubscriptions(db: Database, from: number, to: number): Promise<void> {
  const id = sql.raw("('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid");
  const at = now.toISOString();
  const rows = sql`from generate_series(${from}::int, ${to - 1}::int) n`;
  await db.execute(sql`insert into accounts (id, name, created_at) select ${id}, 'a' || n, ${at}::timestamptz ${rows}`);
  await db.execute(
    sql`insert into users (id, account_id, email, full_name, password_hash, created_at) select ${id}, ${id}, n || '@example.com', 'Ada', '-', ${at}::timestamptz ${rows}`,
  );
  await db.execute(sql`insert into subscriptions (account_id, plan_id, spec_id, status, started_at, period_starts_at, period_ends_at)
    select ${id}, 'trial-1', 'trial-1', 'trialing', ${at}::timestamptz - interval '7 days', ${at}::timestamptz - interval '7 days', ${at}::timestamptz + interval '7 days' ${rows}`);
  await db.execute(
    sql`insert into timers (account_id, kind, due_at, run_at) select ${id}, 'trial-end', ${at}::timestamptz + interval '7 days', ${at}::timestamptz + interval '7 days' ${rows}`,
  );
  await makeDue(db);
  await db.execute(sql`analyze`);
}

/** Makes a reminder due for a thousand of them, spread over all. */
async function makeDue(db: Database): Promise<void> {
  const at = now.toISOString();
  await db.execute(sql`insert into timers (account_id, kind, due_at, run_at)
    select account_id, 'ending-in-3-days', ${at}::timestamptz, ${at}::timestamptz from (
      select account_id, row_number() over (order by account_id) place, count(*) over () whole from subscriptions) s
    where (place - 1) % (whole / ${due}) = 0 limit ${due} on conflict do nothing`);
}
