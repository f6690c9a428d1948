/**
 * Counts the executions that begin through this gateway, out of reach of the workspaces in which they run. A lower bound: only what an
 * answer shows for sure. Counted in memory, without a query or an object for each request, and written down by and by.
 */
import { dayMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";

/** By what an answer shows that an execution has begun. */
export interface ExecutionSign {
  /** Of path and query. */
  path: RegExp;
  /** In lower case. */
  header: string;
  value: string;
}

/** All that was counted of a workspace on a day, since this gateway was started. */
export interface ExecutionCount {
  workspaceId: string;
  /** UTC, YYYY-MM-DD. */
  date: string;
  executions: number;
}

export interface ExecutionCounts {
  /** Where an execution that a request to this path may begin now is counted; null: it begins none, or its day is not sure. */
  dayFor(url: string): CountingDay | null;
  /** Writes what was not written yet, and ends. */
  stop(): Promise<void>;
}

export interface ExecutionCountsOptions {
  sign: ExecutionSign;
  /** Takes whole figures, so it may be called again with the same ones. */
  save(counts: ExecutionCount[]): Promise<void>;
  /** The machine's own: workspaces date their executions by it. */
  clock: Clock;
  log: Log;
  writeEveryMs?: number;
  rounds?: Rounds | undefined;
}

/** What a killed gateway forgets; a tenth of a look at a workspace's usage. */
const writeEveryMs = 10 * secondMs;
/** So near to midnight it is not sure on which day the workspace counts: its clock may be another one, and our timer late. */
const marginMs = minuteMs;
/** Rows in one statement. */
const mostAtOnce = 1000;

/** A day, from its first sure minute to its last. A request belongs to it that was sent to the workspace and answered in it. */
export class CountingDay {
  readonly date: string;
  isOpen = true;
  readonly #counts = new Map<string, { executions: number; written: number }>();
  readonly #sign: ExecutionSign;

  constructor(date: string, sign: ExecutionSign) {
    this.date = date;
    this.#sign = sign;
  }

  /** Counts the answer, whose headers are `[name, value, …]`, if it shows that an execution began. */
  noteAnswer(workspaceId: string, headers: readonly string[]): void {
    if (!this.isOpen || !this.#hasSign(headers)) return;
    const count = this.#counts.get(workspaceId);
    if (count) count.executions += 1;
    else this.#counts.set(workspaceId, { executions: 1, written: 0 });
  }

  #hasSign(headers: readonly string[]): boolean {
    const { header, value } = this.#sign;
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index]!;
      if (name.length === header.length && headers[index + 1] === value && name.toLowerCase() === header) return true;
    }
    return false;
  }

  unwritten(): ExecutionCount[] {
    return [...this.#counts]
      .filter(([, { executions, written }]) => executions > written)
      .map(([workspaceId, { executions }]) => ({ workspaceId, date: this.date, executions }));
  }

  noteWritten(counts: readonly ExecutionCount[]): void {
    for (const { workspaceId, executions } of counts) this.#counts.get(workspaceId)!.written = executions;
  }
}

export function startExecutionCounts(options: ExecutionCountsOptions): ExecutionCounts {
  const { sign, clock, log } = options;
  const days = new Map<string, CountingDay>();
  let today: CountingDay | null = null;
  let isFailing = false;
  let writing: Promise<void> = Promise.resolve();

  const turn = (): void => {
    const date = sureDate(clock.now());
    if (date === today?.date) return;
    if (today) today.isOpen = false;
    if (date !== null && !days.has(date)) days.set(date, new CountingDay(date, sign));
    today = date === null ? null : days.get(date)!;
    if (today) today.isOpen = true;
  };

  const write = async (): Promise<void> => {
    for (const day of days.values()) {
      const counts = day.unwritten();
      for (let from = 0; from < counts.length; from += mostAtOnce) {
        const some = counts.slice(from, from + mostAtOnce);
        await options.save(some);
        day.noteWritten(some);
      }
    }
    if (isFailing) log.info("executions seen by the gateway are written down again");
    isFailing = false;
    // A day that is written and over may come back with a clock that is put back: it stays as long as its neighbours.
    for (const date of [...days.keys()].toSorted().slice(0, -3)) if (date !== today?.date) days.delete(date);
  };

  const writeSafely = (): Promise<void> =>
    (writing = writing.then(write).catch((error: unknown) => {
      // Whole figures: the next try brings what this one did not.
      if (!isFailing) log.warn({ err: error }, "executions seen by the gateway could not be written down, and are kept until they can");
      isFailing = true;
    }));

  turn();
  const everyMs = options.writeEveryMs ?? writeEveryMs;
  const round = options.rounds?.follow("gateway counts", everyMs);
  const timer = setInterval(() => {
    turn();
    void writeSafely().then(() => round?.went());
  }, everyMs);
  timer.unref();

  return {
    dayFor: (url) => (today !== null && sign.path.test(url) ? today : null),
    async stop() {
      clearInterval(timer);
      await writeSafely();
      round?.end();
    },
  };
}

/** The UTC day that it is everywhere near; null around midnight. */
function sureDate(now: Date): string | null {
  const sinceMidnightMs = now.getTime() % dayMs;
  return sinceMidnightMs < marginMs || sinceMidnightMs >= dayMs - marginMs ? null : now.toISOString().slice(0, 10);
}
