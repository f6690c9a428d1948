/** What a plan's features are called (SPEC §9), on its card and in the comparison. */
import type { PlanSpec } from "#contract/plan.ts";
import "../../words/add-billing-words.ts";
import { planWords } from "../../words/en-billing.ts";
import { t } from "../../words/words.ts";

type NamedFeature = keyof typeof planWords.features.names;
type Tier = keyof typeof planWords.features.support;

const isNamed = (code: string): code is NamedFeature => code in planWords.features.names;
const isTier = (tier: string): tier is Tier => tier in planWords.features.support;

/** SPEC §9: what an enterprise plan has, whether or not one is in the catalogue. */
export const enterpriseFeatures: readonly string[] = [
  "shared-projects-unlimited", "insights-365-days", "advanced-permissions", "admin-roles", "global-variables", "workflow-history-unlimited", "execution-search",
  "ldap", "environments", "external-secrets", "log-streaming", "version-control", "scaling", "extended-retention", "dedicated-support", "invoice-billing",
];

/** A feature that comes in sizes: how many, or `unlimited`. */
export function sizeOf(features: readonly string[], kind: "shared-projects" | "insights" | "workflow-history"): number | "unlimited" | null {
  const code = features.find((each) => each.startsWith(`${kind}-`));
  const size = code?.slice(kind.length + 1).replace(/-days?$/, "");
  if (size === undefined) return null;
  return size === "unlimited" ? size : Number(size);
}

/** A feature without a size, in words; what an operator has added is read from its code. */
export function featureName(code: string): string {
  if (isNamed(code)) return t(`plans.features.names.${code}`);
  const words = code.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a feature says a size and is not a name. */
export const isSized = (code: string): boolean => /^(shared-projects|insights|workflow-history)-(\d+|unlimited)/.test(code);

export function projectsLabel(features: readonly string[]): string | null {
  const size = sizeOf(features, "shared-projects");
  return size === null ? null : size === "unlimited" ? t("plans.features.projectsUnlimited") : t("plans.features.projects", { count: size });
}

function insightsLabel(features: readonly string[]): string | null {
  const size = sizeOf(features, "insights");
  return size === null || size === "unlimited" ? null : t("plans.features.insights", { count: size });
}

function historyLabel(features: readonly string[]): string | null {
  const size = sizeOf(features, "workflow-history");
  return size === null ? null : size === "unlimited" ? t("plans.features.historyUnlimited") : t("plans.features.history", { count: size });
}

function usersLabel({ licenseFeatures }: PlanSpec): string | null {
  const users = licenseFeatures["quota:users"];
  if (typeof users !== "number") return null;
  return users === -1 ? t("plans.features.usersUnlimited") : t("plans.features.users", { count: users });
}

const supportLabel = ({ supportTier }: PlanSpec): string | null => (isTier(supportTier) ? t(`plans.features.support.${supportTier}`) : null);

/** What stands on a plan's card, in SPEC's order. */
export function featureLabels(spec: PlanSpec): string[] {
  const { enabledFeatures } = spec;
  const sized = [projectsLabel(enabledFeatures), usersLabel(spec), supportLabel(spec), insightsLabel(enabledFeatures), historyLabel(enabledFeatures)];
  return [...sized.filter((label) => label !== null), ...enabledFeatures.filter((code) => !isSized(code)).map(featureName)];
}
