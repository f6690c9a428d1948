/**
 * Gives back the space of deleted executions while n8n is idle: SQLite keeps their pages, with what was in them, and n8n never rewrites its
 * database. A rewrite blocks n8n's writes while it runs, so it happens only when nothing runs, rarely, and up to a size.
 */

interface ReclaimOptions {
  /** On n8n's own connection for writing: a second SQLite in the process would drop the locks of the first. */
  query(sql: string): Promise<unknown>;
  /** Whether something runs that must not wait. */
  isBusy(): Promise<boolean>;
  lookEveryMs?: number;
}

const minuteMs = 60_000;
/** Of the file. */
const leastShare = 0.25;
/** Less is not worth a rewrite. */
const leastFreeBytes = 4 * 1024 ** 2;
/** What has to be written: a few seconds, even on a slow disk. What deletions leave of a larger database is still left out of backups. */
const mostUsedBytes = 256 * 1024 ** 2;
/** A workflow that fills and empties the database is not worth a rewrite each minute; nor is one that fails, on a full disk. */
const leastPauseMs = 60 * minuteMs;

/** Looks periodically, for as long as the process runs. Returns a function that stops it. */
export function reclaimWhenIdle({ query, isBusy, lookEveryMs = minuteMs }: ReclaimOptions): () => void {
  let triedAtMs = -Infinity;
  let lookedAtMs = performance.now();
  let isLooking = false;
  const look = async (): Promise<void> => {
    const now = performance.now();
    // It was frozen, and a request has just woken it.
    const wasFrozen = now - lookedAtMs > 2 * lookEveryMs;
    lookedAtMs = now;
    if (wasFrozen || now - triedAtMs < leastPauseMs || !(await isWorthIt(query)) || (await isBusy())) return;
    triedAtMs = now;
    await query("VACUUM");
    // The rewrite is in the log until then, and so may be old pages.
    await query("PRAGMA wal_checkpoint(TRUNCATE)");
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch((error: Error) => console.warn(`the space of deleted executions was not given back: ${error.message}`))
      .finally(() => (isLooking = false));
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function isWorthIt(query: ReclaimOptions["query"]): Promise<boolean> {
  const read = async (name: string): Promise<number> => Number(((await query(`PRAGMA ${name}`)) as Record<string, unknown>[])[0]?.[name]);
  const free = await read("freelist_count");
  if (free === 0) return false;
  const [pages, pageBytes] = [await read("page_count"), await read("page_size")];
  return free >= pages * leastShare && free * pageBytes >= leastFreeBytes && (pages - free) * pageBytes <= mostUsedBytes;
}
