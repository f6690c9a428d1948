/**
 * Brings each row of the audit log to standard output as a line of the log, so that operators who ship the log have the audit trail
 * where an intruder in this service cannot change it. A row is written out once it is committed, never before; a process that dies
 * between the line and its own commit tells it again, with the same id.
 */
import { scrub } from "#contract/api/scrub.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { linesWritten, type Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { takeUnshipped, type AuditRow } from "./audit-store.ts";

/** How late a line may be. A notification would be quicker, and would have all transactions that write a row commit one after the other. */
const shipEveryMs = 2 * secondMs;
/** Rows of one transaction: so many are held in memory, and told again after a death. */
const mostAtOnce = 200;
/** Who reads our output may pause; what was not taken by then stays in the outbox and is tried again. */
const takenWithinMs = 5 * secondMs;

/** Ships what is there now and from now on. Begins once; several processes share the work. */
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

/** Writes a line for each of the oldest rows that have none yet, at most 200; how many there were. */
export function shipAudit(db: Database, log: Log): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await takeUnshipped(tx, mostAtOnce);
    for (const row of rows) log.info({ audit: describe(row) }, "audit");
    // Before the commit: a line that is still in this process's memory would die with it.
    if (rows.length > 0) await linesWritten(log, takenWithinMs);
    return rows.length;
  });
}

/** Of these the log learns which fields changed; what they hold are names, postal addresses and words of people, which stay in the database. */
const personalActions: ReadonlySet<string> = new Set([
  "billing_details.changed",
  "survey.answered",
  "survey.ai-answered",
  "subscription.cancel-asked",
]);

function describe({ id, at, action, accountId, userId, address, before, after }: AuditRow): object {
  const told = personalActions.has(action) ? { changed: changedFields(before, after) } : { before: scrub(before), after: scrub(after) };
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
