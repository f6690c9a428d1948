/** What a plan would change for a customer, compared with what they have: what they gain and lose, the price, and when it takes effect. */
import { changeDirection } from "#contract/billing/plans/change-direction.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { deliveredFeatures } from "#contract/billing/plans/delivered-features.ts";
import type { Subscription } from "#contract/billing/billing.ts";
import type { Plan, PlanSpec } from "#contract/billing/plans/plan.ts";
import { number } from "../../../lib/formats.ts";
import { t } from "../../billing/words.ts";
import { monthsOf } from "../shown-plans.ts";
import {
  concurrencyOf,
  featureName,
  hasRow,
  isSized,
  memoryMbOf,
  retentionDaysOf,
  sizeOf,
  usersOf,
  type SizedKind,
  type Sold,
} from "./feature-labels.ts";

export interface PlanChange {
  /** What there will be, and how much of it there was. What is lost altogether has only its name. */
  text: string;
  isMore: boolean;
}

interface Fact {
  size: number;
  /** What a plan of this size offers. */
  what: string;
  /** Its size alone. */
  text: string;
}

const supportTiers = ["forum", "email", "dedicated"] as const;

/** Every difference between two specs in what their workspaces really have: first the gains, then the losses. */
export function whatChanges(from: PlanSpec, to: PlanSpec, delivery: Sold): PlanChange[] {
  const [before, after] = [factsOf(from, delivery), factsOf(to, delivery)];
  const sized = [...after].flatMap(([name, next]): PlanChange[] => {
    const had = before.get(name);
    if (!had || had.size === next.size) return [];
    const isMore = next.size > had.size;
    if (next.size === 0) return [{ text: name, isMore }];
    return [
      { text: had.size === 0 ? next.what : t(`plans.changes.${isMore ? "up" : "down"}`, { what: next.what, before: had.text }), isMore },
    ];
  });
  const [had, has] = [namedFeatures(from, delivery), namedFeatures(to, delivery)];
  const named = (codes: string[], isMore: boolean): PlanChange[] => codes.map((code) => ({ text: featureName(code), isMore }));
  const all = [
    ...sized,
    ...named(
      has.filter((code) => !had.includes(code)),
      true,
    ),
    ...named(
      had.filter((code) => !has.includes(code)),
      false,
    ),
  ];
  return [...all.filter(({ isMore }) => isMore), ...all.filter(({ isMore }) => !isMore)];
}

const namedFeatures = (spec: PlanSpec, delivery: Sold): string[] =>
  deliveredFeatures(spec, delivery).filter((code) => !isSized(code) && !hasRow(code));

/** Everything that has a size, by the names used in the comparison. */
function factsOf(spec: PlanSpec, delivery: Sold): Map<string, Fact> {
  const features = deliveredFeatures(spec, delivery);
  const isEndless = (size: number): boolean => size < 0 || size === Infinity;
  const sized = (size: number, what: (count: number) => string, endless: () => string): Fact =>
    isEndless(size)
      ? { size: Infinity, what: endless(), text: t("plans.changes.unlimited") }
      : { size, what: what(size), text: number.format(size) };
  const days = (size: number, what: (count: number) => string, endless = () => what(size)): Fact => ({
    ...sized(size, what, endless),
    ...(isEndless(size) ? {} : { text: t("plans.compare.days", { count: size }) }),
  });
  const feature = (kind: SizedKind): number => {
    const size = sizeOf(features, kind);
    return size === "unlimited" ? Infinity : (size ?? 0);
  };
  const users = usersOf(spec);
  const tier = supportTiers.findIndex((known) => known === spec.supportTier);
  const tierNames = supportTiers.map((known) => [t(`plans.features.support.${known}`), t(`plans.compare.supports.${known}`)] as const);
  const [support = featureName(spec.supportTier), supportName = support] = tierNames[tier] ?? [];
  const memoryMb = memoryMbOf(spec, delivery);
  const megabytes = number.format(memoryMb);
  const atOnce = concurrencyOf(spec, delivery);
  const atATime = (count: number) => t("plans.features.concurrency", { count });
  const kept = (count: number) => t("plans.changes.kept", { count: number.format(count) });
  const backups = (count: number) => t("plans.features.backups", { count });
  return new Map<string, Fact>([
    [
      t("plans.compare.executions"),
      sized(
        spec.monthlyExecutionsLimit,
        (count) => t("plans.executions", { count: number.format(count) }),
        () => t("plans.executionsUnlimited"),
      ),
    ],
    [
      t("plans.compare.workflows"),
      sized(
        spec.activeWorkflowsLimit,
        (count) => t("plans.workflows", { count }),
        () => t("plans.workflowsUnlimited"),
      ),
    ],
    ...(atOnce === undefined ? [] : [[t("plans.compare.concurrency"), sized(atOnce, atATime, () => atATime(atOnce))] as const]),
    [
      t("plans.compare.users"),
      sized(
        typeof users === "number" ? users : -1,
        (count) => t("plans.features.users", { count }),
        () => t("plans.features.usersUnlimited"),
      ),
    ],
    [
      t("plans.compare.projects"),
      sized(
        feature("shared-projects"),
        (count) => t("plans.features.projects", { count }),
        () => t("plans.features.projectsUnlimited"),
      ),
    ],
    [t("plans.compare.insights"), days(feature("insights"), (count) => t("plans.features.insights", { count }))],
    [
      t("plans.compare.history"),
      days(
        feature("workflow-history"),
        (count) => t("plans.features.history", { count }),
        () => t("plans.features.historyUnlimited"),
      ),
    ],
    [t("plans.compare.retention"), days(retentionDaysOf(spec), (count) => t("plans.changes.log", { count }))],
    [t("plans.compare.kept"), sized(executionsKeptBy(spec), kept, () => kept(executionsKeptBy(spec)))],
    ...(spec.backupDays === undefined ? [] : [[t("plans.compare.backups"), days(spec.backupDays, backups)] as const]),
    [
      t("plans.compare.memory"),
      {
        size: memoryMb,
        what: t("plans.features.memory", { amount: megabytes }),
        text: t("plans.compare.megabytes", { amount: megabytes }),
      },
    ],
    [t("plans.compare.support"), { size: tier + 1, what: support, text: supportName }],
  ]);
}

/** How much more a month or year costs than what is paid now, in minor units; null if the periods or the currency differ. */
export function priceStep(from: Plan | null, to: Plan, currency: string): number | null {
  if (!from || monthsOf(from) !== monthsOf(to)) return null;
  const [before, after] = [from.recurring_price[currency], to.recurring_price[currency]];
  return before === undefined || after === undefined ? null : after - before;
}

/**
 * When a change from a paid plan would begin, as the service decides unless the customer chooses otherwise; null if that depends on what
 * the provider would credit, so that only the preview knows.
 */
export function beginning(from: Plan, to: Plan, quotas: Subscription["quotas"]): "now" | "period-end" | null {
  const [had, gets] = [comparedPlan(from, quotas), comparedPlan(to, null)];
  // Only the labels decide then, of which the service may have more than it delivers.
  if (from.spec.id !== to.spec.id && sameSize(had, gets)) return null;
  const direction = changeDirection(had, gets);
  if (direction === "downgrade") return "period-end";
  const isDearer = usd(to) >= usd(from);
  return isDearer && monthsOf(to) >= monthsOf(from) ? "now" : null;
}

type Compared = Parameters<typeof changeDirection>[0];
const sameSize = (one: Compared, other: Compared): boolean =>
  one.executions === other.executions && one.workflows === other.workflows && one.monthlyPrice === other.monthlyPrice;

const usd = (plan: Plan): number => plan.recurring_price["USD"] ?? 0;

const comparedPlan = (plan: Plan, quotas: Subscription["quotas"]) => ({
  executions: quotas?.monthlyExecutions ?? plan.spec.monthlyExecutionsLimit,
  workflows: quotas?.activeWorkflows ?? plan.spec.activeWorkflowsLimit,
  monthlyPrice: usd(plan) / monthsOf(plan),
  features: plan.spec.enabledFeatures.length,
  months: monthsOf(plan),
});
