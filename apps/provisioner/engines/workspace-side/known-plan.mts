/** The owner's plan as the control plane last said it, kept over restarts, and what is left of it. */
import type { UsageStore } from "./usage-store.mts";

export interface Plan {
  fingerprint: string;
  id: string;
  displayName: string;
  group: string;
  slug: string;
  status: string;
  expiresAt: string | null;
  trialDays: number;
  /** -1 is unlimited. */
  limits: { executions: number; activeWorkflows: number; credentials: number; users: number };
  /** ISO, oldest first: this usage period when it was said, and those to come. */
  periodStarts: string[];
  /** Executions of the first period, and how many of them each epoch of our own counters has. */
  counted: { executions: number; epochs: Record<string, number> };
  changePlanPath: string;
  isConfirmed: boolean;
}

export interface KnownPlan {
  read(): Plan | undefined;
  /** False where it is no plan. */
  save(body: unknown): boolean;
  /** Start of the usage period now (ISO); empty while no plan is known. */
  period(): string;
  /** When the next period begins; undefined where none is known. */
  nextPeriod(): string | undefined;
  /** Executions in this period. */
  used(): number;
}

const textName = "plan";
/** What was counted before any plan was told belongs to the period of the first. */
const firstPeriodName = "first period";

export function createKnownPlan(store: UsageStore, now: () => Date): KnownPlan {
  let plan = parse(store.readText(textName));

  const periodIndex = (): number => Math.max(0, plan?.periodStarts.findLastIndex((start) => Date.parse(start) <= now().getTime()) ?? 0);
  const period = (): string => plan?.periodStarts[periodIndex()] ?? "";

  return {
    read: () => plan,
    save: (body) => {
      const told = toPlan(body);
      if (!told) return false;
      plan = told;
      store.saveText(textName, JSON.stringify(told));
      if (store.readText(firstPeriodName) === undefined) store.saveText(firstPeriodName, period());
      return true;
    },
    period,
    nextPeriod: () => plan?.periodStarts[periodIndex() + 1],
    used: () => {
      const current = period();
      const own = new Map<string, number>();
      for (const counter of store.counters()) {
        if ((counter.period || store.readText(firstPeriodName)) === current)
          own.set(counter.epoch, (own.get(counter.epoch) ?? 0) + counter.executions);
      }
      const counted = plan && periodIndex() === 0 ? plan.counted : { executions: 0, epochs: {} as Record<string, number> };
      let used = counted.executions;
      for (const [epoch, executions] of own) used += Math.max(0, executions - (counted.epochs[epoch] ?? 0));
      return used;
    },
  };
}

function parse(text: string | undefined): Plan | undefined {
  try {
    return toPlan(JSON.parse(text ?? "null"));
  } catch {
    return undefined;
  }
}

function toPlan(body: unknown): Plan | undefined {
  const plan = (body ?? {}) as Partial<Plan>;
  const isPlan =
    [plan.fingerprint, plan.id, plan.displayName, plan.group, plan.slug, plan.status, plan.changePlanPath].every(
      (value) => typeof value === "string",
    ) &&
    (plan.expiresAt === null || typeof plan.expiresAt === "string") &&
    ["executions", "activeWorkflows", "credentials", "users"].every((name) =>
      Number.isInteger((plan.limits as Record<string, unknown> | undefined)?.[name]),
    ) &&
    Array.isArray(plan.periodStarts) &&
    plan.periodStarts.length > 0 &&
    plan.periodStarts.every((start) => !Number.isNaN(Date.parse(start))) &&
    Number.isInteger(plan.counted?.executions) &&
    typeof plan.counted?.epochs === "object";
  return isPlan ? (plan as Plan) : undefined;
}
