/** Decides which onboarding step comes next, in one place for every device. */
import type { Onboarding } from "#contract/accounts/onboarding/onboarding.ts";
import { onboardingSteps, type OnboardingStep } from "#contract/accounts/account-values.ts";

export interface OnboardingFacts {
  /** The account's steps that were done or deliberately skipped. */
  onboardingSteps: Readonly<Record<string, "done" | "skipped">>;
  confirmedAt: Date | null;
  setUpAt: Date | null;
  workspace: { observedGeneration: number } | null;
}

/**
 * The steps and the next one. Once the account is set up only the launch is left: steps neither done nor skipped
 * before are dropped. The launch is over once the workspace has been online.
 */
export function onboardingView(facts: OnboardingFacts): Onboarding {
  const steps = onboardingSteps.map((name) => ({ name, state: stateOf(name, facts) }));
  const asked = facts.setUpAt ? steps.filter(({ name }) => name === "launch") : steps;
  return { next: asked.find(({ state }) => state === "todo")?.name ?? null, steps };
}

function stateOf(name: OnboardingStep, facts: OnboardingFacts): "todo" | "done" | "skipped" {
  const { confirmedAt, setUpAt, workspace } = facts;
  if (name === "verify") return confirmedAt ? "done" : "todo";
  if (name === "setup") return setUpAt ? "done" : "todo";
  // A set-up account without a workspace had one that was deleted: there is nothing left to launch.
  if (name === "launch") return setUpAt && (!workspace || workspace.observedGeneration > 0) ? "done" : "todo";
  return facts.onboardingSteps[name] ?? (setUpAt ? "skipped" : "todo");
}
