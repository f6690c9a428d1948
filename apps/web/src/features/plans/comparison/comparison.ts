/** The comparison of plans as rows and columns: plans that differ in quotas only share a column. */
import { deliveredFeatures, type Delivery } from "#contract/billing/plans/delivered-features.ts";
import type { Plan, PlanSpec } from "#contract/billing/plans/plan.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { planWords } from "../../billing/plans/words.ts";
import { t } from "../../billing/words.ts";
import {
  concurrencyOf,
  enterpriseDelivered,
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
import { number } from "../../../lib/formats.ts";

export interface ComparisonRow {
  name: string;
  /** A text, or whether it is included. */
  cells: (string | boolean)[];
  /** Whether the plans that are offered here differ in it; the enterprise plan alone does not count. */
  differs: boolean;
}

interface Comparison {
  columns: string[];
  /** Those that differ first. */
  rows: ComparisonRow[];
}

interface Column {
  name: string;
  plans: readonly Plan[];
  features: readonly string[];
}

/** Plans as displayed, cheapest first; the last column is the enterprise plan. Lists only features that workspaces really have. */
export function comparePlans(plans: readonly Plan[], delivery: Sold): Comparison {
  const columns = [...columnsOf(plans, delivery), { name: t("plans.enterprise.name"), plans: [], features: enterpriseDelivered(delivery) }];
  const isSold = (kind: SizedKind) => columns.some(({ features }) => sizeOf(features, kind) !== null);
  const isSummary = ({ plans: sold }: Column) => !delivery.n8nLicense || sold.some(({ spec }) => !spec.n8nLicense);
  const sizes = (kind: SizedKind, name: string, cell = (column: Column) => sizeCell(column.features, kind)) =>
    isSold(kind) ? [each(name, cell)] : [];
  const each = (name: string, cell: (column: Column) => string | boolean): ComparisonRow => {
    const cells = columns.map(cell);
    return { name, cells, differs: new Set(columns.length > 2 ? cells.slice(0, -1) : cells).size > 1 };
  };
  const named = [...new Set(columns.flatMap(({ features }) => features.filter((code) => !isSized(code) && !hasRow(code))))];
  const rows = [
    each(t("plans.compare.executions"), (column) => quotaCell(column, "monthlyExecutionsLimit", "monthlyExecutions")),
    each(t("plans.compare.workflows"), (column) => quotaCell(column, "activeWorkflowsLimit", "activeWorkflows")),
    ...(plans.some(({ spec }) => concurrencyOf(spec, delivery) !== undefined)
      ? [each(t("plans.compare.concurrency"), (column) => concurrencyCell(column, delivery))]
      : []),
    each(t(isSold("shared-projects") ? "plans.compare.users" : "plans.compare.usersApart"), usersCell),
    ...sizes("shared-projects", t("plans.compare.projects")),
    ...sizes("insights", t("plans.compare.insights"), (column) => {
      const days = sizeCell(column.features, "insights");
      return days !== false && isSummary(column) ? t("plans.compare.summary", { days }) : days;
    }),
    ...sizes("workflow-history", t("plans.compare.history")),
    each(t("plans.compare.retention"), retentionCell),
    each(t("plans.compare.kept"), keptCell),
    each(t("plans.compare.backups"), backupsCell),
    each(t("plans.compare.memory"), (column) => memoryCell(column, delivery)),
    each(t("plans.compare.support"), supportCell),
    ...named.map((code) => each(featureName(code), ({ features }) => features.includes(code))),
  ];
  return {
    columns: columns.map(({ name }) => name),
    rows: [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)],
  };
}

function columnsOf(plans: readonly Plan[], delivery: Delivery): Column[] {
  const columns = new Map<string, Column>();
  for (const plan of plans) {
    const key = columnKey(plan.spec);
    const held = columns.get(key);
    columns.set(key, {
      name: plan.spec.family ?? held?.name ?? plan.spec.displayName,
      plans: [...(held?.plans ?? []), plan],
      features: deliveredFeatures(plan.spec, delivery),
    });
  }
  return [...columns.values()];
}

/** Sizes of one plan share a column: they differ in quotas alone. */
const columnKey = ({ enabledFeatures, n8nLicense, supportTier, pruneExecutionsInterval }: PlanSpec): string =>
  [n8nLicense === true, supportTier, pruneExecutionsInterval, ...enabledFeatures.toSorted()].join(" ");

/** A single limit, or the highest one that can be chosen. */
function quotaCell(
  { plans }: Column,
  limit: "monthlyExecutionsLimit" | "activeWorkflowsLimit",
  quota: "monthlyExecutions" | "activeWorkflows",
): string {
  if (plans.length === 0) return t("plans.compare.custom");
  return highest(plans.map((plan) => plan.custom_quotas?.[quota].max ?? plan.spec[limit]));
}

function concurrencyCell({ plans }: Column, delivery: Sold): string {
  if (plans.length === 0) return t("plans.compare.custom");
  return highest(plans.map(({ spec }) => concurrencyOf(spec, delivery) ?? -1));
}

/** Of the plans that share a column; -1 is unlimited. */
function highest(limits: readonly number[]): string {
  if (limits.includes(-1)) return t("plans.compare.unlimited");
  const most = number.format(Math.max(...limits));
  return new Set(limits).size === 1 ? most : t("plans.compare.upTo", { count: most });
}

function usersCell({ plans }: Column): string {
  const users = plans.map(({ spec }) => usersOf(spec)).filter((each) => typeof each === "number");
  if (users.length === 0 || users.includes(-1)) return t("plans.compare.unlimited");
  return number.format(Math.max(...users));
}

function sizeCell(features: readonly string[], kind: SizedKind): string | false {
  const size = sizeOf(features, kind);
  if (size === null) return false;
  if (size === "unlimited") return t("plans.compare.unlimited");
  return kind === "shared-projects" ? number.format(size) : t("plans.compare.days", { count: size });
}

function retentionCell({ plans }: Column): string {
  if (plans.length === 0) return t("plans.compare.custom");
  return t("plans.compare.days", { count: Math.max(...plans.map(({ spec }) => retentionDaysOf(spec))) });
}

function keptCell({ plans }: Column): string {
  if (plans.length === 0) return t("plans.compare.custom");
  return t("plans.compare.upTo", { count: number.format(Math.max(...plans.map(({ spec }) => executionsKeptBy(spec)))) });
}

function backupsCell({ plans }: Column): string {
  const days = plans.map(({ spec }) => spec.backupDays).filter((each) => each !== undefined);
  return days.length === 0 ? t("plans.compare.custom") : t("plans.compare.days", { count: Math.max(...days) });
}

function memoryCell({ plans }: Column, delivery: Sold): string {
  if (plans.length === 0) return t("plans.compare.custom");
  const amounts = plans.map(({ spec }) => memoryMbOf(spec, delivery));
  const most = t("plans.compare.megabytes", { amount: number.format(Math.max(...amounts)) });
  return new Set(amounts).size === 1 ? most : t("plans.compare.upTo", { count: most });
}

function supportCell({ plans }: Column): string {
  const tier = plans.at(-1)?.spec.supportTier ?? "dedicated";
  return tier in planWords.compare.supports
    ? t(`plans.compare.supports.${tier as keyof typeof planWords.compare.supports}`)
    : featureName(tier);
}
