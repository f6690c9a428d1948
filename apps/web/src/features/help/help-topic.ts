/** The one topic that the help page shows first, depending on the state of the account. */
import type { User } from "#contract/accounts/account.ts";
import { paths } from "../../lib/paths.ts";
import { nextPath } from "../sign-up/journey/journey.ts";
import { statusName } from "../workspace/state/workspace-status.ts";

type Step = NonNullable<User["account"]["onboarding"]["next"]>;
type Plain = "signedOut" | "pastDue" | "paused" | "offline" | "pending" | "stopped" | "online";

export type HelpTopic =
  | { topic: Plain; to: string }
  /** In the middle of the sign-up; the button names the step. */
  | { topic: "onTheWay"; step: Step; to: string }
  | { topic: "operationsOff" };

/** Most important first: what only we can fix, then payment, then the workspace itself. */
export function helpTopic(user: User | null, instanceOperations: boolean): HelpTopic {
  if (!user) return { topic: "signedOut", to: paths.register };
  const { billing, instance, onboarding, isSetup } = user.account;
  const needsOperations = isSetup ? instance !== null && statusName(instance) !== "online" : onboarding.next === "setup";
  if (!instanceOperations && needsOperations) return { topic: "operationsOff" };
  if (billing?.status === "paused") return { topic: "paused", to: paths.billing };
  if (billing?.status === "past_due") return { topic: "pastDue", to: paths.billing };
  if (!isSetup && onboarding.next) return { topic: "onTheWay", step: onboarding.next, to: nextPath(user) };
  const status = instance ? statusName(instance) : "pending";
  return { topic: status, to: status === "pending" ? paths.launching : paths.manage };
}
