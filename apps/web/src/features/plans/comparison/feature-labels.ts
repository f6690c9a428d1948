/** The names of a plan's features, on its card and in the comparison. */
import { deliveredFeatures, type Delivery } from "#contract/billing/plans/delivered-features.ts";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { planWords } from "../../billing/plans/words.ts";
import { t } from "../../billing/words.ts";
import { number } from "../../../lib/formats.ts";

type NamedFeature = keyof typeof planWords.features.names;
type Tier = keyof typeof planWords.features.support;

/** The service's settings that decide what a plan includes. */
export interface Sold extends Delivery {
  workspaceMemoryMb: number;
}

const isNamed = (code: string): code is NamedFeature => code in planWords.features.names;
const isTier = (tier: string): tier is Tier => tier in planWords.features.support;

/** What an enterprise plan has, whether or not the catalogue contains one. */
export const enterpriseFeatures: readonly string[] = [
  "shared-projects-unlimited",
  "insights-365-days",
  "advanced-permissions",
  "admin-roles",
  "global-variables",
  "workflow-history-unlimited",
  "execution-search",
  "ldap",
  "environments",
  "external-secrets",
  "log-streaming",
  "version-control",
  "scaling",
  "extended-retention",
  "dedicated-support",
  "invoice-billing",
];

export type SizedKind = "shared-projects" | "insights" | "workflow-history";

/** A feature that comes in sizes: how many, or `unlimited`. */
export function sizeOf(features: readonly string[], kind: SizedKind): number | "unlimited" | null {
  const code = features.find((each) => each.startsWith(`${kind}-`));
  const size = code?.slice(kind.length + 1).replace(/-days?$/, "");
  if (size === undefined) return null;
  return size === "unlimited" ? size : Number(size);
}

/** A feature without a size, in words; one that an operator has added is named after its code. */
export function featureName(code: string): string {
  if (isNamed(code)) return t(`plans.features.names.${code}`);
  const words = code.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether the number or tier that delivers it is said already. */
export const hasRow = (code: string): boolean => code === "dedicated-support";

/** Whether the label contains a size and is not just a name. */
export const isSized = (code: string): boolean => /^(shared-projects|insights|workflow-history)-(\d+|unlimited)/.test(code);

function projectsLabel(features: readonly string[]): string | null {
  const size = sizeOf(features, "shared-projects");
  return size === null
    ? null
    : size === "unlimited"
      ? t("plans.features.projectsUnlimited")
      : t("plans.features.projects", { count: size });
}

/** Without a license, n8n summarises the last days above its lists, and has no dashboard for them. */
function insightsLabel(features: readonly string[], isLicensed: boolean): string | null {
  const size = sizeOf(features, "insights");
  return size === null || size === "unlimited"
    ? null
    : t(isLicensed ? "plans.features.insights" : "plans.features.insightsSummary", { count: size });
}

const hoursADay = 24;

/** How many people a workspace may have; -1 is unlimited, and without a number nothing is said. */
export const usersOf = ({ licenseFeatures, userManagementEnabled }: PlanSpec): number | boolean | undefined =>
  userManagementEnabled ? licenseFeatures["quota:users"] : 1;
export const memoryMbOf = ({ memoryMb }: PlanSpec, { workspaceMemoryMb }: Sold): number => memoryMb ?? workspaceMemoryMb;
export const retentionDaysOf = ({ pruneExecutionsInterval }: PlanSpec): number => Math.floor(pruneExecutionsInterval / hoursADay);

/** Executions that run at a time, -1 for no limit; undefined where the plan says nothing, or the tool has no such limit. */
export const concurrencyOf = ({ concurrentExecutionsLimit }: PlanSpec, { engine }: Delivery): number | undefined =>
  engineTraits[engine].concurrencyLimit ? concurrentExecutionsLimit : undefined;
function concurrencyLabel(spec: PlanSpec, delivery: Delivery): string | null {
  const limit = concurrencyOf(spec, delivery);
  return limit === undefined || limit === -1 ? null : t("plans.features.concurrency", { count: limit });
}

const memoryLabel = (spec: PlanSpec, delivery: Sold): string =>
  t("plans.features.memory", { amount: number.format(memoryMbOf(spec, delivery)) });
const retentionLabel = (spec: PlanSpec): string =>
  t("plans.features.retention", { count: retentionDaysOf(spec), most: number.format(executionsKeptBy(spec)) });
const backupsLabel = ({ backupDays }: PlanSpec): string | null =>
  backupDays === undefined ? null : t("plans.features.backups", { count: backupDays });

function historyLabel(features: readonly string[]): string | null {
  const size = sizeOf(features, "workflow-history");
  return size === null ? null : size === "unlimited" ? t("plans.features.historyUnlimited") : t("plans.features.history", { count: size });
}

function usersLabel(spec: PlanSpec, features: readonly string[]): string | null {
  const users = usersOf(spec);
  if (typeof users !== "number") return null;
  const label = users === -1 ? t("plans.features.usersUnlimited") : t("plans.features.users", { count: users });
  // Said where seats are sold, because invited people would otherwise find out later that nothing can be shared.
  return users === 1 || sizeOf(features, "shared-projects") !== null ? label : t("plans.features.ownSpaces", { users: label });
}

const supportLabel = ({ supportTier }: PlanSpec): string | null =>
  isTier(supportTier) ? t(`plans.features.support.${supportTier}`) : null;

/** The features on a plan's card, in a fixed order: only those that its workspaces really have. */
export function featureLabels(spec: PlanSpec, delivery: Sold): string[] {
  const features = deliveredFeatures(spec, delivery);
  const sized = [
    projectsLabel(features),
    usersLabel(spec, features),
    supportLabel(spec),
    memoryLabel(spec, delivery),
    concurrencyLabel(spec, delivery),
    retentionLabel(spec),
    backupsLabel(spec),
    insightsLabel(features, isLicensed(spec, delivery)),
    historyLabel(features),
  ];
  return [...sized.filter((label) => label !== null), ...features.filter((code) => !isSized(code) && !hasRow(code)).map(featureName)];
}

/** What an enterprise plan adds to other plans, if this operator offers one; that includes the license if there is one. */
export function enterpriseLabels(delivery: Delivery): string[] {
  const features = enterpriseDelivered(delivery);
  const only = features.filter((code) => !isSized(code) && !hasRow(code) && !proFeatures.has(code));
  return [t("plans.features.asAgreed"), projectsLabel(features), t("plans.features.support.dedicated"), ...only.map(featureName)].filter(
    (label) => label !== null,
  );
}

/** The labels of an enterprise plan that apply here. */
export const enterpriseDelivered = (delivery: Delivery): string[] =>
  deliveredFeatures({ enabledFeatures: [...enterpriseFeatures], n8nLicense: true }, delivery);

const proFeatures: ReadonlySet<string> = new Set(["advanced-permissions", "admin-roles", "global-variables", "execution-search"]);
const isLicensed = ({ n8nLicense }: PlanSpec, delivery: Delivery): boolean => n8nLicense === true && delivery.n8nLicense;
