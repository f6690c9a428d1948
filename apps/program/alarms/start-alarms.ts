/**
 * Raises alarms without Prometheus: every process with ALERTS_URL or ALERTS_TO compares what is wrong with what was sent, twice a minute. A
 * database that does not answer cannot be compared there: each worker sends that alarm alone.
 */
import { settleNotice, takeNotices } from "#domain/signals/alarm-store.ts";
import { after, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { DatabaseContact } from "../database-contact.ts";
import type { LocalAlarm } from "./local-alarm.ts";
import { readConditions } from "./read-conditions.ts";
import { deliver, type AlarmChannels } from "./send-notice.ts";

export interface AlarmOptions {
  db: Database;
  clock: Clock;
  log: Log;
  channels: AlarmChannels;
  contact: Pick<DatabaseContact, "awaySeconds">;
  /** Null in processes that do not send the alarm about the database. */
  databaseAlarm: LocalAlarm | null;
}

const lookEveryMs = 30 * secondMs;
/** A restart or failover of PostgreSQL takes less. */
export const goneAfterSeconds = 120;

/**
 * Looks now and every 30 s until stopped. Not among the loops of /readyz: a webhook that hangs must not take a process out of a load
 * balancer.
 */
export function startAlarms(options: AlarmOptions, everyMs = lookEveryMs): { stop(): Promise<void> } {
  const { log, channels } = options;
  const loop = createWakeLoop({
    work: () => lookForAlarms(options),
    onError: (err) => log.warn({ err }, "alarms could not be checked"),
  });
  loop.start(everyMs);
  return {
    async stop() {
      await loop.stop();
      channels.mail?.close();
    },
  };
}

/** One look: sends what must be sent now, all at the same time. */
export async function lookForAlarms({ db, clock, channels, contact, databaseAlarm }: AlarmOptions): Promise<void> {
  const awaySeconds = contact.awaySeconds();
  const now = clock.now();
  if (awaySeconds >= goneAfterSeconds)
    return databaseAlarm?.raise("It does not answer this worker.", after(now, -Math.round(awaySeconds * secondMs)));
  // Not yet an alarm, and nothing can be read.
  if (awaySeconds > 0) return;
  await databaseAlarm?.clear("It answers again.");
  const notices = await takeNotices(db, await readConditions(db, now), now);
  await Promise.all(notices.map(async (notice) => settleNotice(db, notice, await deliver(notice, channels, clock.now()), clock.now())));
}
