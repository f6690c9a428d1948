/**
 * Counts the executions started through this gateway, where the workspaces cannot tamper with the figure. It is a lower bound: only
 * executions that a response proves. Counted in memory, without a query or an object per request, and saved periodically.
 */
import { dayMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";

/** How a response shows that an execution has started. */
interface ExecutionSign {
  /** Matches path and query. */
  path: RegExp;
  /** In lower case. */
  header: string;
  value: string;
}

/** A workspace's total for a day since this gateway started. */
export interface ExecutionCount {
  workspaceId: string;
  /** UTC, YYYY-MM-DD. */
  date: string;
  executions: number;
}

export interface ExecutionCounts {
  /** The day in which to count an execution that a request to this URL may start; null: it starts none, or its day is uncertain. */
  dayFor(url: string): CountingDay | null;
  /** Saves the remaining counts and stops. */
  stop(): Promise<void>;
}

interface ExecutionCountsOptions {
  sign: ExecutionSign;
  /** Takes totals, so repeating a call is harmless. */
  save(counts: ExecutionCount[]): Promise<void>;
  /** The machine's clock, by which workspaces date their executions. */
  clock: Clock;
  log: Log;
  writeEveryMs?: number;
  rounds?: Rounds | undefined;
}

/** A killed gateway loses at most this much. It is a tenth of the interval between readings of a workspace's usage. */
const writeEveryMs = 10 * secondMs;
/** This close to midnight, the workspace may count on another day: its clock may differ and our timer may be late. */
const marginMs = minuteMs;
/** Rows per statement. */
const mostAtOnce = 1000;

/** A day without the minutes around midnight. A request counts if it was both sent to the workspace and answered within it. */
export class CountingDay {
  readonly date: string;
  isOpen = true;
  readonly #counts = new Map<string, { executions: number; written: number }>();
  readonly #sign: ExecutionSign;

  constructor(date: string, sign: ExecutionSign) {
    this.date = date;
    this.#sign = sign;
  }

  /** Counts the response, with headers as `[name, value, …]`, if it shows that an execution started. */
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
    if (isFailing) log.info("executions counted by the gateway are saved again");
    isFailing = false;
    // A clock that is set back may return to a past day, so the last three days are kept.
    for (const date of [...days.keys()].toSorted().slice(0, -3)) if (date !== today?.date) days.delete(date);
  };

  // Totals: the next attempt includes what this one could not save.
  const onError = (err: unknown): void => {
    if (!isFailing) log.warn({ err }, "executions counted by the gateway could not be saved; saving is retried");
    isFailing = true;
  };

  turn();
  const everyMs = options.writeEveryMs ?? writeEveryMs;
  // A day ends in time even while saving hangs.
  const turning = setInterval(turn, everyMs);
  turning.unref();
  const loop = createWakeLoop({ work: write, onError, followed: { by: options.rounds, name: "gateway counts" } });
  loop.start(everyMs);

  return {
    dayFor: (url) => (today !== null && sign.path.test(url) ? today : null),
    async stop() {
      clearInterval(turning);
      await loop.stop();
      await write().catch(onError);
    },
  };
}

/** The current UTC date; null close to midnight. */
function sureDate(now: Date): string | null {
  const sinceMidnightMs = now.getTime() % dayMs;
  return sinceMidnightMs < marginMs || sinceMidnightMs >= dayMs - marginMs ? null : now.toISOString().slice(0, 10);
}
