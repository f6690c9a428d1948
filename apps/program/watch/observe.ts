/**
 * The worker's look at what leaves no row: which workspaces are down since when, the host's free disk and memory, overdue loops, the backup
 * storage and the panel's certificate. What it finds is read by metrics and alarms of every process.
 */
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { noteDown } from "#domain/signals/down-store.ts";
import { changeObservations, withCheck, withHost, type HostReading, type Observations } from "#domain/signals/observation-store.ts";
import { hourMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { within } from "#platform/loops/within.ts";
import { readCertificate } from "./read-certificate.ts";

export interface ObservingOptions {
  db: Database;
  clock: Clock;
  log: Log;
  rounds: Rounds;
  host: string;
  publicUrl: string;
  storage: Pick<BackupStorage, "check">;
  /** What is free on this host now. */
  readResources(): Promise<HostReading["resources"]>;
}

const lookEveryMs = 30 * secondMs;
/** Each writes and removes a small object. */
const storageEveryMs = 5 * minuteMs;
const storageWithinMs = minuteMs;
const certificateEveryMs = hourMs;

/** Looks now and every 30 s until stopped. The checks that use the network run beside it, so that a hanging one delays no look. */
export function startObserving(options: ObservingOptions, everyMs = lookEveryMs): { stop(): Promise<void> } {
  const { log, rounds } = options;
  const looking = createWakeLoop({
    work: () => look(options),
    followed: { by: rounds, name: "signals" },
    onError: (err) => log.warn({ err }, "the service's signals could not be noted"),
  });
  const onError = (err: unknown) => log.warn({ err }, "the result of a check could not be noted");
  const storage = createWakeLoop({ work: () => checkStorage(options), onError });
  const certificate = createWakeLoop({ work: () => checkCertificate(options), onError });
  looking.start(everyMs);
  storage.start(storageEveryMs);
  certificate.start(certificateEveryMs);
  return { stop: async () => void (await Promise.all([looking, storage, certificate].map((loop) => loop.stop()))) };
}

/** Notes what is down, and what this host has left. */
export async function look({ db, clock, host, rounds, readResources }: ObservingOptions): Promise<void> {
  const now = clock.now();
  await noteDown(db, now);
  const reading = { host, resources: await readResources(), overdue: rounds.standing() };
  await changeObservations(db, (known) => withHost(known, reading, now));
}

/** Notes whether backups can be stored now. */
export async function checkStorage({ db, clock, log, storage }: ObservingOptions, withinMs = storageWithinMs): Promise<void> {
  const reason = await within(withinMs, "the backup storage", storage.check()).then(() => null, messageOf);
  if (reason !== null) log.error({ reason }, "backups cannot be stored");
  await changeObservations(db, (known) => withCheck(known, "storage", reason, clock.now()));
}

/** Notes until when the panel's certificate is valid. */
export async function checkCertificate({ db, clock, log, publicUrl }: ObservingOptions): Promise<void> {
  let note: (known: Observations) => Observations;
  try {
    const seen = await readCertificate(publicUrl);
    if (!seen) return;
    if (seen.problem) log.error({ reason: seen.problem, until: seen.until }, "browsers refuse the panel's certificate");
    note = (known) => ({ ...withCheck(known, "certificate", seen.problem, clock.now()), certificateUntil: seen.until.toISOString() });
  } catch (error) {
    const reason = messageOf(error);
    log.warn({ reason }, "the panel's certificate could not be read at its own address");
    note = (known) => withCheck(known, "certificate", reason, clock.now());
  }
  await changeObservations(db, note);
}

const mostLetters = 300;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, mostLetters);
