/** The steps from registering to a running workspace. The server says which step is next; this module knows the page of each. */
import type { Onboarding } from "#contract/accounts/onboarding/onboarding.ts";
import type { OnboardingStep, SkippableStep } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { paths } from "../../../lib/paths.ts";
import { knownUser, updateUser } from "../../../lib/session/session.ts";

export const stepPaths: Readonly<Record<OnboardingStep, string>> = {
  survey: paths.survey,
  apps: paths.apps,
  invite: paths.inviteTeammate,
  verify: paths.verifyEmail,
  setup: paths.setup,
  launch: paths.launching,
};

/** The user's next page; the dashboard once nothing is left to do. */
export const nextPath = (user: User | null | undefined): string => {
  const next = user?.account.onboarding.next;
  return next ? stepPaths[next] : paths.dashboard;
};

/** Stores an answer's progress, so that no page has to request it again. */
export function rememberOnboarding(onboarding: Onboarding): void {
  const user = knownUser();
  if (user) updateUser({ ...user, account: { ...user.account, onboarding } });
}

/** Skips a step on the server, so that no device shows it again; returns the next page. */
export async function skipStep(step: SkippableStep): Promise<string> {
  const { onboarding } = await callApi("skipOnboardingStep", { body: { step } });
  rememberOnboarding(onboarding);
  return nextPath(knownUser());
}
