/** Which of the notices about the whole panel is shown: there is one place for them, and one at a time. */
import type { User } from "#contract/account.ts";

export type BillingStatus = NonNullable<User["account"]["billing"]>["status"];
export type Banner = "sessionExpired" | "technicalIssues" | "paused" | "pastDue";

export interface BannerFacts {
  /** The session ended by itself, and nobody has signed in or closed the notice since. */
  sessionExpired: boolean;
  /** Whether workspaces may be set up, restarted and changed. */
  instanceOperations: boolean;
  billingStatus: BillingStatus | null;
}

/**
 * The most pressing notice, or none. Whoever lost their session can do nothing before signing in again; while operations are
 * off a payment would bring nothing back at once; a paused workspace is down already, one past due is not yet.
 */
export function currentBanner({ sessionExpired, instanceOperations, billingStatus }: BannerFacts): Banner | null {
  if (sessionExpired) return "sessionExpired";
  if (!instanceOperations) return "technicalIssues";
  if (billingStatus === "paused") return "paused";
  if (billingStatus === "past_due") return "pastDue";
  return null;
}
