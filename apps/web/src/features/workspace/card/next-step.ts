/** The one thing that would help this account most now; null where nothing has to be done. */
import { paths } from "../../../lib/paths.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";

export interface NextStepFacts {
  state: WorkspaceState;
  billingStatus: "active" | "trialing" | "paused" | "past_due" | "deleted" | null;
  /** People besides the owner who are invited or have joined; undefined while unknown. */
  others: number | undefined;
}

export type NextStepName = "payment" | "resubscribe" | "choosePlan" | "newWorkspace" | "trialEnds" | "invite";

export interface NextStep {
  name: NextStepName;
  /** Absent where it is done on the dashboard itself. */
  to?: string;
}

/** A plan is spoken of when there is still time to think, and not on every day of the trial. */
const soonDays = 5;

/** Money first, because without it the rest ends. */
export function nextStep({ state, billingStatus, others }: NextStepFacts): NextStep | null {
  if (billingStatus === "past_due") return { name: "payment", to: paths.billing };
  if (state.kind === "paused" || state.kind === "expiring") return { name: "resubscribe", to: paths.billing };
  if (state.kind === "scheduled-for-deletion") return { name: "choosePlan", to: paths.changePlan };
  if (state.kind === "none") return state.canCreate ? { name: "newWorkspace" } : { name: "choosePlan", to: paths.changePlan };
  if (state.kind === "trial" && state.daysLeft <= soonDays) return { name: "trialEnds", to: paths.changePlan };
  if ((state.kind === "ready" || state.kind === "trial") && others === 0) return { name: "invite", to: paths.inviteTeammate };
  return null;
}
