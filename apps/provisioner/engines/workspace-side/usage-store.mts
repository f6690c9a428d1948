/**
 * What this workspace has used, in a separate file beside n8n's database, unaffected by a restored older database, another release of n8n
 * or a killed process. The current process keeps its counts in memory, so that a full disk does not stop counting. Each process is a
 * separate epoch that begins at zero, so that an old copy of the file lowers nothing.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

interface UsageCounter {
  epoch: string;
  /** Start of the usage period (ISO); empty while the workspace knows no plan. */
  period: string;
  /** UTC, YYYY-MM-DD. */
  date: string;
  executions: number;
  failed: number;
}

export interface UsageStore {
  countExecution(period: string, at: Date): void;
  countFailure(period: string, at: Date): void;
  /** Like `countFailure`, once for each `key`, across processes. False: it was counted before. */
  countFailureOnce(key: string, period: string, at: Date): boolean;
  /** Of the last days, by this process and earlier ones. */
  counters(): UsageCounter[];
  readText(name: string): string | undefined;
  saveText(name: string, text: string): void;
}

/** The control plane reads every minute, so it has older counts. */
const keptDays = 8;
const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Opens the file, or continues without it: damaging the file loses unread counts, but counting continues. */
export function openUsageStore(file: string, now: () => Date): UsageStore {
  const database = open(file);
  const epoch = randomUUID();
  const since = (): string => dateOf(new Date(now().getTime() - keptDays * 86_400_000));
  const counters = new Map<string, UsageCounter>();
  const texts = new Map<string, string>();
  const seen = new Set<string>();

  attempt(() => {
    if (!database) return;
    for (const table of ["counter", "seen"]) database.prepare(`delete from ${table} where date < ?`).run(since());
    for (const row of database.prepare("select * from counter").all() as unknown as UsageCounter[]) counters.set(keyOf(row), { ...row });
    for (const { name, value } of database.prepare("select * from text").all() as unknown as { name: string; value: string }[])
      texts.set(name, value);
    for (const { key } of database.prepare("select key from seen").all() as unknown as { key: string }[]) seen.add(key);
  });

  const add = (period: string, at: Date, executions: number, failed: number): void => {
    const row = { epoch, period, date: dateOf(at), executions: 0, failed: 0 };
    const counter = counters.get(keyOf(row)) ?? row;
    counter.executions += executions;
    counter.failed += failed;
    counters.set(keyOf(row), counter);
    // Writes the total instead of a step: the next write makes up for a missed one.
    attempt(() =>
      database
        ?.prepare("insert or replace into counter values (?, ?, ?, ?, ?)")
        .run(epoch, period, counter.date, counter.executions, counter.failed),
    );
  };

  return {
    countExecution: (period, at) => add(period, at, 1, 0),
    countFailure: (period, at) => add(period, at, 0, 1),
    countFailureOnce: (key, period, at) => {
      if (seen.has(key)) return false;
      seen.add(key);
      attempt(() => database?.prepare("insert or ignore into seen values (?, ?)").run(key, dateOf(at)));
      add(period, at, 0, 1);
      return true;
    },
    counters: () => {
      const oldest = since();
      for (const [key, { date }] of counters) if (date < oldest) counters.delete(key);
      return [...counters.values()].map((counter) => ({ ...counter }));
    },
    readText: (name) => texts.get(name),
    saveText: (name, text) => {
      texts.set(name, text);
      attempt(() => database?.prepare("insert or replace into text values (?, ?)").run(name, text));
    },
  };
}

const keyOf = ({ epoch, period, date }: UsageCounter): string => `${epoch} ${period} ${date}`;

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file can no longer be read. */
const spoiltCodes = [11, 26];

function open(file: string): DatabaseSync | undefined {
  try {
    return openTables(file);
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number };
    console.warn(`the usage file could not be opened: ${message}`);
    if (!spoiltCodes.includes(errcode ?? 0)) return undefined;
  }
  let database: DatabaseSync | undefined;
  attempt(() => {
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    database = openTables(file);
  });
  return database;
}

function openTables(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Waiting for another process that holds the file blocks everything in this one.
  const database = new DatabaseSync(file, { timeout: 100 });
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table if not exists counter (epoch text, period text, date text, executions integer, failed integer, primary key (epoch, period, date));
    create table if not exists text (name text primary key, value text);
    create table if not exists seen (key text primary key, date text)`);
  return database;
}

/** A full disk or a damaged file must not stop n8n or a workflow. */
function attempt(write: () => void): void {
  try {
    write();
  } catch (error) {
    console.warn(`usage could not be saved: ${(error as Error).message}`);
  }
}
