/** The owner's plan as the control plane last sent it, kept across restarts, and what remains of it. */
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
  /** -1 is unlimited. A plan that was kept by an older hook has no `concurrentExecutions`. */
  limits: { executions: number; activeWorkflows: number; credentials: number; users: number; concurrentExecutions?: number };
  /** ISO, oldest first: the usage period when it was sent, and later ones. */
  periodStarts: string[];
  /** Executions of the first period, and how many of them each epoch of our own counters had. */
  counted: { executions: number; epochs: Record<string, number> };
  changePlanPath: string;
  isConfirmed: boolean;
}

export interface KnownPlan {
  read(): Plan | undefined;
  /** False if it is not a plan. */
  save(body: unknown): boolean;
  /** Start of the current usage period (ISO); empty while no plan is known. */
  period(): string;
  /** When the next period begins; undefined if unknown. */
  nextPeriod(): string | undefined;
  /** Executions in this period. */
  used(): number;
}

const textName = "plan";
/** Counts from before any plan was known belong to the first plan's period. */
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
