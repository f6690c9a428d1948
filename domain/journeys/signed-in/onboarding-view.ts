/** Which onboarding step comes next: the one place that decides it, for every device. */
import { onboardingSteps, type Onboarding, type OnboardingStep } from "#contract/accounts/onboarding.ts";

export interface OnboardingFacts {
  /** Of the account: steps that were done or left out on purpose. */
  onboardingSteps: Readonly<Record<string, "done" | "skipped">>;
  confirmedAt: Date | null;
  setUpAt: Date | null;
  workspace: { observedGeneration: number } | null;
}

/**
 * The steps and the next one. Once the account is set up only the launch is left: what was neither answered nor
 * skipped before is no longer asked. The launch is over when the workspace has been online once.
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
  // A set-up account without a workspace had one that was deleted: there is nothing to launch any more.
  if (name === "launch") return setUpAt && (!workspace || workspace.observedGeneration > 0) ? "done" : "todo";
  return facts.onboardingSteps[name] ?? (setUpAt ? "skipped" : "todo");
}
