/**
 * Decides which of a plan's labels its workspaces really have. The labels stay in the catalogue as data; this file determines what the API
 * lists, what is shown, what a smaller plan is said to take away, and what a workspace is started with. docs/what-is-sold.md says how each is delivered.
 */
import { engineTraits, type EngineName } from "../../workspaces/engine-names.ts";
import type { PlanSpec } from "./plan.ts";

export interface Delivery {
  engine: EngineName;
  /** Whether the operator has set an n8n license key. */
  n8nLicense: boolean;
}

/** What every operator can deliver. */
export const n8nAlone: Delivery = { engine: "n8n", n8nLicense: false };

type FeatureSource = Pick<PlanSpec, "enabledFeatures" | "n8nLicense"> & Partial<Pick<PlanSpec, "supportTier" | "pruneExecutionsInterval">>;

/** The maximum that n8n gives without a license, in days. */
const freeDays = { insights: 7, "workflow-history": 1 } as const;

/** What n8n unlocks with its license. */
const licensed: ReadonlySet<string> = new Set([
  "advanced-permissions",
  "admin-roles",
  "execution-search",
  "ldap",
  "environments",
  "external-secrets",
  "log-streaming",
  "version-control",
]);

/** Delivered by later work only: docs/what-is-sold.md names it. */
const undelivered: ReadonlySet<string> = new Set(["scaling", "invoice-billing"]);

/** What this service delivers itself, if the rest of the plan agrees with the label. */
const own: Readonly<Record<string, (source: FeatureSource, engine: EngineName) => boolean>> = {
  // The environment variables of the workspace, which every workflow reads.
  "global-variables": () => true,
  "extended-retention": ({ pruneExecutionsInterval = Infinity }, engine) =>
    engineTraits[engine].license && pruneExecutionsInterval > usualRetentionHours,
  "dedicated-support": ({ supportTier = "dedicated" }) => supportTier === "dedicated",
};

/** 30 days: what plans without extended retention have at most. */
const usualRetentionHours = 720;

const sized = /^(shared-projects|insights|workflow-history)-(\d+|unlimited)/;

/** The labels that apply, cut to the given size; a code that is not in this list is the operator's own promise and stays. */
export function deliveredFeatures(source: FeatureSource, delivery: Delivery): string[] {
  const isLicensed = source.n8nLicense === true && delivery.n8nLicense;
  return source.enabledFeatures.flatMap((code) => {
    if (undelivered.has(code)) return [];
    if (code in own) return own[code]!(source, delivery.engine) ? [code] : [];
    const size = sized.exec(code);
    if (!size && !licensed.has(code)) return [code];
    if (!engineTraits[delivery.engine].license) return [];
    if (isLicensed) return [code];
    return size ? withoutLicense(size[1]!, size[2]!) : [];
  });
}

/** The spec with the labels that apply, as every answer of the API has it. */
export const asDelivered = <Spec extends FeatureSource>(spec: Spec, delivery: Delivery): Spec => ({
  ...spec,
  enabledFeatures: deliveredFeatures(spec, delivery),
});

/** Those of them that the workspace's own tool delivers from its next start; an operator's own promises are not among them. */
export const builtInFeatures = (source: FeatureSource, delivery: Delivery): string[] =>
  deliveredFeatures(source, delivery).filter((code) => sized.test(code) || licensed.has(code));

function withoutLicense(kind: string, size: string): string[] {
  if (kind !== "insights" && kind !== "workflow-history") return [];
  const days = Math.min(size === "unlimited" ? Infinity : Number(size), freeDays[kind]);
  return [`${kind}-${days}-${days === 1 ? "day" : "days"}`];
}
