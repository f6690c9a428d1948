/**
 * Writes each row of the audit log to standard output as a log line, so that operators who ship the log have the audit trail
 * where an intruder in this service cannot change it. A row is written out only after it is committed; a process that dies
 * between the line and its own commit writes it again, with the same id.
 */
import { scrub } from "#contract/api/scrub.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { linesWritten, type Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { isPersonal } from "./audit-actions.ts";
import { takeUnshipped, type AuditRow } from "./audit-store.ts";

/** The longest delay of a line. Notifications would be faster, but transactions that write a row would then commit one after the other. */
const shipEveryMs = 2 * secondMs;
/** Rows of one transaction: this many are held in memory, and repeated after a crash. */
const mostAtOnce = 200;
/** The reader of the output may pause; rows not taken by then stay in the outbox for the next attempt. */
const takenWithinMs = 5 * secondMs;

/** Ships existing and new rows until stopped. Several processes share the work. */
export function startAuditShipping(db: Database, log: Log, rounds?: Rounds): { stop(): Promise<void> } {
  const work = async (isStopping: () => boolean) => {
    while (!isStopping() && (await shipAudit(db, log)) === mostAtOnce);
  };
  const loop = createWakeLoop({
    work,
    followed: { by: rounds, name: "audit trail" },
    onError: (err) => log.warn({ err }, "the audit log could not be shipped"),
  });
  loop.start(shipEveryMs);
  return { stop: () => loop.stop() };
}

/** Writes a line for each of the oldest unshipped rows, at most 200; returns how many there were. */
export function shipAudit(db: Database, log: Log): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await takeUnshipped(tx, mostAtOnce);
    for (const row of rows) log.info({ audit: describe(row) }, "audit");
    // Before the commit: a line still in this process's memory would be lost if it died.
    if (rows.length > 0) await linesWritten(log, takenWithinMs);
    return rows.length;
  });
}

function describe({ id, at, action, accountId, userId, address, before, after }: AuditRow): object {
  const told = isPersonal(action) ? { changed: changedFields(before, after) } : { before: scrub(before), after: scrub(after) };
  return { id: String(id), at, action, accountId, userId, address, ...told };
}

function changedFields(before: unknown, after: unknown): string[] {
  const [old, now] = [before, after].map(
    (value) => (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>,
  ) as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .toSorted();
}
