/** Which notices about the whole panel are shown, in their one place. */
import type { User } from "#contract/accounts/account.ts";

export type BillingStatus = NonNullable<User["account"]["billing"]>["status"];
export type Banner = "sessionExpired" | "suspended" | "technicalIssues" | "paused" | "pauseRequested" | "pastDue";

interface BannerFacts {
  /** The session expired, and no one has signed in or closed the notice since. */
  sessionExpired: boolean;
  /** Whether workspaces may be set up, restarted and changed. */
  instanceOperations: boolean;
  billingStatus: BillingStatus | null;
  /** Paused on request, not after failed payments. */
  isPauseRequested?: boolean;
  /** An operator keeps the account's workspace stopped. */
  isSuspended?: boolean;
}

/**
 * Every notice that applies, the most urgent first: none hides another. A lost session is shown alone, since nothing else can
 * be dealt with before signing in again; so is a suspension, which no payment ends.
 */
export function currentBanners({
  sessionExpired,
  instanceOperations,
  billingStatus,
  isPauseRequested,
  isSuspended,
}: BannerFacts): Banner[] {
  if (sessionExpired) return ["sessionExpired"];
  if (isSuspended) return ["suspended"];
  const banners: Banner[] = [];
  if (!instanceOperations) banners.push("technicalIssues");
  if (billingStatus === "paused") banners.push(isPauseRequested ? "pauseRequested" : "paused");
  if (billingStatus === "past_due") banners.push("pastDue");
  return banners;
}
