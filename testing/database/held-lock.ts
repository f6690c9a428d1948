/** Statements that wait for a lock, for tests of what two of them do together. */
import type { Pool } from "pg";
import { expect, vi } from "vitest";

const waitingNow = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Resolves as soon as so many statements wait for a lock in this database; rejects after a minute. */
export async function waitForLocks(pool: Pool, statementCount: number): Promise<void> {
  await expect.poll(async () => (await pool.query(waitingNow)).rowCount, { timeout: 60_000 }).toBe(statementCount);
}

/** Resolves as soon as `asked` is answered or a statement waits for a lock; rejects after a minute. */
export async function untilAnsweredOrWaiting(pool: Pool, asked: PromiseLike<unknown>): Promise<void> {
  let isAnswered = false;
  void asked.then(() => (isAnswered = true));
  await vi.waitFor(async () => expect(isAnswered || (await pool.query(waitingNow)).rowCount).toBeTruthy(), { timeout: 60_000 });
}
