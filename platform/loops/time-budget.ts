/** The time that a piece of work has for everything it waits for. Follows awaits, so that calls deep inside know what is left. */
import { AsyncLocalStorage } from "node:async_hooks";

interface Budget {
  endsAtMs: number;
  /** The work has ended. What it started, such as a loop it woke, has no limit of its time. */
  isOver: boolean;
}

const storage = new AsyncLocalStorage<Budget>();

/** Runs it with at most `ms` for the calls it makes to others, within the time of the work that it is part of. */
export function withBudget<T>(ms: number, run: () => T): T {
  const budget: Budget = { endsAtMs: performance.now() + Math.min(ms, budgetLeftMs()), isOver: false };
  const result = storage.run(budget, run);
  const end = (): void => void (budget.isOver = true);
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}

/** What is left, 0 if nothing is; Infinity outside of any budget. */
export function budgetLeftMs(): number {
  const budget = storage.getStore();
  return !budget || budget.isOver ? Infinity : Math.max(0, budget.endsAtMs - performance.now());
}
