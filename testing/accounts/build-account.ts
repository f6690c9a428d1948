/** An account as the panel receives it: set up, on its trial, with an online workspace, unless specified otherwise. */
import { onboardingSteps } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { planSpecView } from "#domain/plans/catalogue.ts";
import { buildInstance } from "./build-instance.ts";

type Account = User["account"];

/** The spec with this id, as in the catalogue; the API lists only those of its labels that are delivered. */
export function buildPlanSpec(id: string, expirationDate: Date | null): PlanSpec {
  const spec = readCatalogue().specs.find((candidate) => candidate.id === id);
  if (!spec) throw new Error(`the catalogue has no spec ${id}`);
  return planSpecView(spec, id, expirationDate);
}

export function buildAccount(changes: Partial<Account> = {}): Account {
  return {
    name: "ada",
    isSetup: true,
    taxInclusive: false,
    billing: null,
    planSpec: buildPlanSpec("trial-1", new Date("2026-12-05T12:00:00Z")),
    instance: buildInstance(),
    lastBackup: null,
    onboarding: { next: null, steps: onboardingSteps.map((name) => ({ name, state: "done" })) },
    isFirstDay: false,
    firstDays: null,
    suspension: null,
    closing: null,
    templateId: null,
    ...changes,
  };
}
