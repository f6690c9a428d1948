/**
 * A storm of renewals at each payment provider's stand-in on loopback: as many a minute as 2,000 in an hour, for three minutes of its clock,
 * which passes as fast as the work is done. Paddle's stand-in answers 240 calls a minute, as Paddle does.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "#database/migrate.ts";
import type { Billing } from "#domain/billing/billing.ts";
import { doWhatIsDue } from "#domain/billing/provider-truth/billing-loop.ts";
import { receiveEvent } from "#domain/billing/provider-truth/provider-event-store.ts";
import { syncSubscription } from "#domain/billing/provider-truth/sync-subscription.ts";
import { startCheckout } from "#domain/billing/purchases/checkout/start-checkout.ts";
import { createBilling } from "#domain/journeys/manage-billing/create-billing.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { callsPerMinute, countedMs, keptForCustomers } from "#payments/paddle/paddle-meter.ts";
import { addMonths } from "#platform/calendar.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { openDatabase, type Database } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { createSecrets } from "#platform/secrets.ts";
import { asWork } from "#platform/tracing/current-work.ts";
import { addTrialAccount } from "#testing/accounts/add-trial-account.ts";
import { countInMemory } from "#testing/payments/count-in-memory.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";
import type { ProviderHarness, RawWebhook } from "#testing/payments/provider-suite/provider-harness.ts";
import { createStripeHarness } from "#testing/payments/stripe-harness.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { createTestClock, type TestClock } from "#testing/test-clock.ts";
import type { BenchRow } from "./bench-row.ts";

const anHour = 2_000;
const everyMs = hourMs / anHour;
const renewals = Math.round((3 * minuteMs) / everyMs);
/** Against a quiet process. The clock's minutes pass in seconds, so that the storm keeps this one busy all the time. */
const slowest = 20;
/** In live mode (docs.stripe.com/rate-limits, not read again). */
const stripeCallsPerSecond = 100;
const clickEveryMs = 5 * secondMs;
/** Each customer's weekly check, six calls, fits into this time before the storm. */
const checksTakeMs = 15 * minuteMs;
const start = new Date("2027-01-10T09:00:00Z");
/** Events of a renewal that the stand-ins leave out, each a while after the one before. */
const paddleTypes = ["transaction.created", "transaction.billed", "transaction.updated", "transaction.paid", "transaction.completed"];
const betweenEventsMs = 1.5 * secondMs;

interface Side {
  name: string;
  harness: ProviderHarness;
  /** How many requests the provider has received. */
  asked(): number;
  limit(perMinute: number | null): void;
  /** How long after a renewal the provider charges for it. */
  chargesAfterMs: number;
  /** With this many calls each, 2,000 an hour fit into the provider's limit. */
  mostCalls: number;
  /** All webhooks that the provider sends for these. */
  events(sent: RawWebhook[]): RawWebhook[];
}

export async function benchRenewals(add: (row: BenchRow) => void): Promise<void> {
  for (const open of [openPaddle, openStripe]) {
    const dataDir = await mkdtemp(join(tmpdir(), "slipway-bench-renewals-"));
    const log = createLog("error");
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: {} });
    const database = openDatabase(postgres.connection, log, { max: 8 });
    try {
      await migrate(database, log);
      await savePlans(database.db, readCatalogue(), start);
      const clock = createTestClock(start);
      const side = await open(database.db, clock);
      try {
        for (const row of await measure(side, database.db, clock)) add(row);
      } finally {
        await side.harness[Symbol.asyncDispose]();
      }
    } finally {
      await database.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

async function openPaddle(db: Database, clock: TestClock): Promise<Side> {
  const harness = await createPaddleHarness({ db, clock, countCalls: countInMemory(clock), gathersMs: 20 * secondMs });
  return {
    name: "Paddle",
    harness,
    chargesAfterMs: 0,
    // Beside a quarter for customers.
    mostCalls: ((callsPerMinute - keptForCustomers) * 60) / anHour,
    asked: () => harness.fake.asked.length,
    limit: (perMinute) => void (harness.fake.mostPerMinute = perMinute),
    events: (sent) =>
      sent.flatMap((raw) => {
        const event = JSON.parse(raw.body.toString("utf8")) as { event_type: string };
        if (event.event_type !== "transaction.completed") return [raw];
        return paddleTypes.map((type) => {
          const body = Buffer.from(JSON.stringify({ ...event, event_id: `evt_${randomUUID()}`, event_type: type }));
          return { body, headers: harness.sign(body, { at: clock.now(), secret: "current" }) };
        });
      }),
  };
}

async function openStripe(db: Database, clock: TestClock): Promise<Side> {
  const harness = await createStripeHarness({ db, clock });
  const asked = () => harness.asked.length;
  return {
    name: "Stripe",
    harness,
    chargesAfterMs: hourMs,
    mostCalls: (stripeCallsPerSecond * 3600) / anHour,
    asked,
    limit: () => undefined,
    events: (sent) => sent,
  };
}

async function measure(side: Side, db: Database, clock: TestClock): Promise<BenchRow[]> {
  const billing = createBilling({
    db,
    clock,
    log: createLog("error"),
    secrets: createSecrets("a key for measurements, long enough"),
    provider: side.harness.provider,
    publicUrl: "http://localhost:3000",
    seller: testSeller,
    leastNoticeMs: 0,
    lastBackupDays: 30,
  });
  const customers = await asCustomer(() => subscribeAll(side, billing, clock));
  clock.advance(minuteMs);
  const quiet: number[] = [];
  const askedBefore = side.asked();
  for (let index = 0; index < 30; index += 1) quiet.push((await click(billing, customers[index]!)).ms);
  const callsOfClick = (side.asked() - askedBefore) / quiet.length;
  // Everything that is due before the storm is done before it.
  await side.harness.advance(addMonths(start, 1).getTime() - checksTakeMs - clock.now().getTime());
  await deliver(billing, await side.harness.takeWebhooks());
  for (let ms = minuteMs; ms < checksTakeMs; ms += countedMs) {
    await doWhatIsDue(billing);
    clock.advance(countedMs);
  }
  side.limit(callsPerMinute);
  const storm = await endure(side, billing, clock, customers);
  const calls = (storm.asked - storm.clicks.length * callsOfClick) / storm.renewed;
  const [inStorm, inQuiet] = [part(storm.clicks, 0.95), part(quiet, 0.95)];
  return [
    {
      what: `calls to ${side.name} for a renewal, at ${anHour} an hour, against ${side.mostCalls.toFixed(1)}`,
      ratio: calls / side.mostCalls,
      budget: "≤ 1",
      ok: storm.renewed === renewals && calls <= side.mostCalls,
      detail: `${calls.toFixed(2)} calls each; ${storm.renewed} of ${renewals} renewals recorded, half within ${part(storm.delays, 0.5)} s, p95 ${part(storm.delays, 0.95)} s`,
    },
    {
      what: `a customer's click at ${side.name} in that storm against one in quiet, p95`,
      ratio: inStorm / inQuiet,
      budget: `≤ ${slowest}`,
      ok: storm.refused === 0 && inStorm / inQuiet <= slowest,
      detail: `${Math.round(inStorm)} ms against ${Math.round(inQuiet)} ms; ${storm.refused} of ${storm.clicks.length} refused; the storm took ${storm.seconds} s`,
    },
  ];
}

const asCustomer = <T>(run: () => Promise<T>): Promise<T> => asWork({ requestId: randomUUID() }, null, run);

/** Each bought a little after the one before, so that they renew in that order. */
async function subscribeAll({ harness }: Side, billing: Billing, clock: TestClock): Promise<string[]> {
  const accountIds: string[] = [];
  for (let index = 0; index < renewals; index += 1) {
    const accountId = await addTrialAccount(billing.db, clock.now());
    const wanted = { planId: "starter-monthly", quotas: null, currency: "USD" };
    const { url } = await startCheckout(billing, accountId, wanted, { userId: null }, randomUUID());
    const { pathname, searchParams } = new URL(url);
    await harness.pay({ url, checkoutId: searchParams.get("_ptxn") ?? pathname.split("/").at(-1)! }, "visa");
    await syncSubscription(billing, accountId);
    await billing.settlePayments(accountId);
    accountIds.push(accountId);
    await harness.advance(everyMs);
  }
  await harness.takeWebhooks();
  return accountIds;
}

async function deliver(billing: Billing, webhooks: readonly RawWebhook[]): Promise<void> {
  const now = billing.clock.now();
  for (const { headers, body } of webhooks)
    await receiveEvent(billing.db, billing.provider.name, billing.provider.readWebhook(headers, body, now), now);
}

/** A customer looks at what another plan costs. */
async function click({ db, provider }: Billing, accountId: string): Promise<{ ms: number; ok: boolean }> {
  const row = (await db.query.subscriptions.findFirst({ where: (each, { eq }) => eq(each.accountId, accountId) }))!;
  const purchase = { planId: "pro-1-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 };
  const from = performance.now();
  const ok = await asCustomer(() =>
    provider.previewChange({ subscriptionId: row.providerSubscriptionId!, purchase, billing: "now" }, null).then(
      () => true,
      () => false,
    ),
  );
  return { ms: performance.now() - from, ok };
}

/** Lets all renew, second by second, until each renewal is recorded or ten minutes have passed since the last. */
async function endure(side: Side, billing: Billing, clock: TestClock, customers: readonly string[]) {
  const before = side.asked();
  const clicks: number[] = [];
  let [refused, nextClickMs] = [0, clock.now().getTime() + 90 * secondMs];
  const coming: { atMs: number; webhook: RawWebhook }[] = [];
  const firstMs = clock.now().getTime() + minuteMs;
  const endsAtMs = firstMs + renewals * everyMs + side.chargesAfterMs + 10 * minuteMs;
  let waitsForCharges = side.chargesAfterMs > 0;
  const from = performance.now();
  let renewed = await countRenewed(billing.db);
  while (clock.now().getTime() < endsAtMs && renewed < renewals) {
    await side.harness.advance(secondMs);
    if (waitsForCharges && clock.now().getTime() > firstMs + renewals * everyMs + 2 * minuteMs) {
      waitsForCharges = false;
      await side.harness.advance(firstMs + side.chargesAfterMs - minuteMs - clock.now().getTime());
      nextClickMs = clock.now().getTime();
    }
    const nowMs = clock.now().getTime();
    side
      .events(await side.harness.takeWebhooks())
      .forEach((webhook, index) => coming.push({ atMs: nowMs + (index % 6) * betweenEventsMs, webhook }));
    const due = coming.filter(({ atMs }) => atMs <= nowMs);
    for (const each of due) coming.splice(coming.indexOf(each), 1);
    await deliver(
      billing,
      due.map(({ webhook }) => webhook),
    );
    const work = doWhatIsDue(billing);
    if (nowMs >= nextClickMs) {
      nextClickMs += clickEveryMs;
      // The first has renewed: in the half hour before a renewal, Paddle accepts no change.
      const { ms, ok } = await click(billing, customers[0]!);
      clicks.push(ms);
      if (!ok) refused += 1;
    }
    await work;
    renewed = await countRenewed(billing.db);
  }
  const seconds = Math.round((performance.now() - from) / secondMs);
  return { seconds, asked: side.asked() - before, clicks, refused, renewed, delays: await delaysOf(billing.db) };
}

/** Renewals whose second payment is recorded. */
async function countRenewed(db: Database): Promise<number> {
  const { rows } = await db.execute<{ renewed: number }>(
    `select count(*)::int as renewed from (select account_id from payments where status = 'succeeded' group by account_id having count(*) > 1) s`,
  );
  return rows[0]!.renewed;
}

/** From the first event of each account's renewal until the last is handled, in seconds of the clock. */
async function delaysOf(db: Database): Promise<number[]> {
  const { rows } = await db.execute<{ seconds: number }>(
    `select extract(epoch from max(handled_at) - min(received_at))::float8 as seconds from provider_events where handled_at is not null group by owner_id`,
  );
  return rows.map(({ seconds }) => Math.round(seconds));
}

const part = (values: readonly number[], of: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * of))] ?? Number.NaN;
