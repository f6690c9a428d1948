/** Gauges of the whole service, read at each scrape: queues, fleet, database connections, and what /readyz names. */
import { Gauge, type Registry } from "prom-client";
import { correctionCounts, forPerson } from "#domain/billing/count-correction.ts";
import { countFindings } from "#domain/billing/reconcile/finding-store.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { waitingEvents } from "#domain/billing/provider-truth/provider-event-store.ts";
import { waitingMails } from "#domain/mail/mail-store.ts";
import { countBlanks } from "#domain/workspaces/blanks/blank-store.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { countFleet } from "#domain/workspaces/observed/fleet-store.ts";
import { secondMs, systemClock } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { Gateway } from "../../gateway/create-gateway.ts";
import type { DatabaseContact } from "../database-contact.ts";
import { readClockApart } from "#platform/postgres/clock-apart.ts";
import type { Parts } from "../parts/open-parts.ts";
import { measureLoops, measureSignals, readSignalFigures, type SignalFigures } from "./measure-signals.ts";

/** Less than the 10 s that Prometheus waits by default: figures without the database are better than none. */
const readWithinMs = 3 * secondMs;
/** Several simultaneous scrapers cost one reading. */
const readAgainMs = 10 * secondMs;
/** The promises read more rows, and none of them is watched within seconds. */
const readSignalsAgainMs = 30 * secondMs;

interface Troubles {
  /** What /readyz reports as false, such as `loop: mails`. */
  troubles(): readonly string[];
  contact: Pick<DatabaseContact, "awaySeconds">;
  /** Null without that role. */
  gateway: Pick<Gateway, "servesFromMemory"> | null;
}

/**
 * Measures them from now on; call the result before each scrape, it never rejects. The fleet and the queues are the same in every process,
 * so only workers read them.
 */
export function measureService(
  registry: Registry,
  { db, pool, clock, config, rounds }: Parts,
  { troubles, contact, gateway }: Troubles,
): () => Promise<void> {
  const registers = [registry];
  new Gauge({
    name: "slipway_database_connections",
    help: "Connections of this process to PostgreSQL. waiting: callers waiting for a connection.",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "used" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
  new Gauge({
    name: "slipway_database_away_seconds",
    help: "How long the database has not answered this process; 0 while it does. A gateway serves from memory for that long.",
    registers,
    collect() {
      this.set(contact.awaySeconds());
    },
  });
  if (gateway)
    new Gauge({
      name: "slipway_gateway_known_workspaces",
      help: "Open workspaces that this gateway can serve without the database now.",
      registers,
      collect() {
        this.set(gateway.servesFromMemory());
      },
    });
  new Gauge({
    name: "slipway_trouble",
    help: "1 for each problem of this process that /readyz names, such as a stalled loop or a full disk.",
    labelNames: ["trouble"],
    registers,
    collect() {
      this.reset();
      for (const trouble of troubles()) this.set({ trouble }, 1);
    },
  });
  measureLoops(registry, rounds);
  if (!config.roles.has("worker")) return async () => undefined;
  return measureQueues(
    registry,
    () => readQueues({ db, clock }),
    () => readSignalFigures(db, clock),
  );
}

type Queues = Awaited<ReturnType<typeof readQueues>>;

async function readQueues({ db, clock }: Pick<Parts, "db" | "clock">) {
  const now = clock.now();
  // One after the other, so that a scrape takes one of the process's database connections, not six.
  return {
    fleet: await countFleet(db, now),
    mails: await waitingMails(db, now),
    events: await waitingEvents(db, now),
    corrections: await correctionCounts(db),
    forPerson: await forPerson(db, now),
    findings: await countFindings(db),
    hasGap: await isGapOpen(db),
    blanks: await countBlanks(db),
    hosts: await listHosts(db),
    clockApartMs: await readClockApart(db, systemClock),
  };
}

function measureQueues(registry: Registry, read: () => Promise<Queues>, readSignals: () => Promise<SignalFigures>): () => Promise<void> {
  const registers = [registry];
  const setSignals = measureSignals(registry);
  const workspaces = new Gauge({
    name: "slipway_workspaces",
    help: "Workspaces of the whole service by state.",
    labelNames: ["state"],
    registers,
  });
  const pool = new Gauge({
    name: "slipway_pool_blanks",
    help: "Workspaces of the whole service that were started in advance for future launches. Only ready ones can be taken.",
    labelNames: ["state"],
    registers,
  });
  const waiting = new Gauge({
    name: "slipway_queue_waiting",
    help: "Due work that no worker has taken yet. workspaces_…: by what they are waiting for.",
    labelNames: ["queue"],
    registers,
  });
  const oldest = new Gauge({
    name: "slipway_queue_oldest_seconds",
    help: "How long the oldest entry in the queue has been due.",
    labelNames: ["queue"],
    registers,
  });
  const startsOverdue = new Gauge({
    name: "slipway_workspaces_starts_overdue",
    help: "Workspaces that should run and are offline because their start has waited too long: for their image, a place in the cluster, or an installation.",
    labelNames: ["cause"],
    registers,
  });
  const lastBackups = new Gauge({
    name: "slipway_last_backups_failing",
    help: "Workspaces that should be deleted and are not, because their last backup did not succeed.",
    registers,
  });
  const firstRestores = new Gauge({
    name: "slipway_first_restores_waiting",
    help: "Workspaces that should run and do not start, because the last backup with which they come back could not be restored yet, or they did not start with it.",
    registers,
  });
  const corrections = new Gauge({
    name: "slipway_billing_corrections",
    help: "Differences from the payment provider found and repaired so far.",
    labelNames: ["kind"],
    registers,
  });
  const person = new Gauge({
    name: "slipway_billing_for_a_person",
    help: "1 for each account with a billing matter that only a person can settle: at most twenty of each sort, by their ids.",
    labelNames: ["kind", "account"],
    registers,
  });
  const findings = new Gauge({
    name: "slipway_billing_findings",
    help: "What the payment provider has and no account explains, such as payments for an account that does not exist; an operator decides.",
    labelNames: ["kind"],
    registers,
  });
  const gap = new Gauge({
    name: "slipway_memory_gap",
    help: "1 while the database was restored or stood still and was not compared with the payment provider yet: nothing ends and nothing is deleted.",
    registers,
  });
  const apart = new Gauge({
    name: "slipway_clock_ahead_of_database_seconds",
    help: "How far this machine's clock is ahead of the database's, negative if behind. No expired backup is removed from an hour on.",
    registers,
  });
  const silence = new Gauge({
    name: "slipway_host_silent_seconds",
    help: "Time since the last heartbeat of the host's worker. Heartbeats are sent every 5 seconds.",
    labelNames: ["host"],
    registers,
  });
  const onHost = new Gauge({
    name: "slipway_host_workspaces",
    help: "Workspaces on the host, except deleted ones.",
    labelNames: ["host"],
    registers,
  });
  const freeMb = new Gauge({
    name: "slipway_host_free_megabytes",
    help: "The host's memory available for more workspaces, used to place new ones.",
    labelNames: ["host"],
    registers,
  });
  const withoutFiles = new Gauge({
    name: "slipway_host_workspaces_without_files",
    help: "Workspaces of the host that are not started because their files are missing.",
    labelNames: ["host"],
    registers,
  });
  const measured = [
    workspaces,
    pool,
    waiting,
    oldest,
    startsOverdue,
    lastBackups,
    firstRestores,
    corrections,
    person,
    findings,
    gap,
    apart,
    silence,
    onHost,
    withoutFiles,
    freeMb,
  ];
  const set = ({ fleet, mails, events, corrections: kinds, forPerson: matters, findings: open, ...others }: Queues): void => {
    const { hasGap, blanks, hosts, clockApartMs } = others;
    measured.forEach((gauge) => gauge.reset());
    for (const [cause, times] of Object.entries(fleet.startsOverdue)) startsOverdue.set({ cause }, times);
    lastBackups.set(fleet.lastBackupsFailing);
    firstRestores.set(fleet.firstRestoresWaiting);
    for (const [state, times] of Object.entries(fleet.states)) workspaces.set({ state }, times);
    for (const [kind, times] of Object.entries(kinds)) corrections.set({ kind }, times);
    for (const { kind, accountId } of matters) person.set({ kind, account: accountId ?? "none" }, 1);
    for (const [kind, times] of Object.entries(open)) findings.set({ kind }, times);
    gap.set(hasGap ? 1 : 0);
    apart.set(clockApartMs / secondMs);
    for (const [state, times] of Object.entries(blanks)) pool.set({ state }, times);
    for (const { name: host, ...state } of hosts) {
      silence.set({ host }, state.silentSeconds);
      onHost.set({ host }, state.workspaces);
      withoutFiles.set({ host }, state.withoutFiles);
      freeMb.set({ host }, state.freeMb);
    }
    const queues = [
      ...fleet.due.map(({ kind, ...due }) => ({ queue: `workspaces_${kind}`, ...due })),
      { queue: "mails", ...mails },
      { queue: "provider_events", ...events },
    ];
    for (const { queue, waiting: most, seconds } of queues) {
      waiting.set({ queue }, most);
      oldest.set({ queue }, seconds);
    }
  };
  const answers = new Gauge({
    name: "slipway_database_answers",
    help: "1 if the database answered this scrape in time; otherwise the figures for the whole service are the last known ones.",
    registers,
  });
  const keep = keepFor(readAgainMs, read);
  const keepSignals = keepFor(readSignalsAgainMs, readSignals);
  return async () => {
    try {
      set(await within(readWithinMs, "the database", keep()));
      answers.set(1);
    } catch {
      return answers.set(0);
    }
    // Separately: signals that cannot be read vanish, which a rule notices, and do not look like a silent database.
    setSignals(await within(readWithinMs, "the signals", keepSignals()).catch(() => null));
  };
}

/** At most one reading at a time, repeated once it is older than this. A failed one is not kept. */
function keepFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; result: Promise<T> } | undefined;
  let reading: Promise<T> | undefined;
  return () => {
    if (reading) return reading;
    if (kept && performance.now() - kept.at < ms) return kept.result;
    const now: Promise<T> = read().finally(() => (reading = undefined));
    reading = now;
    now.then(
      () => (kept = { at: performance.now(), result: now }),
      () => (kept = undefined),
    );
    return now;
  };
}
