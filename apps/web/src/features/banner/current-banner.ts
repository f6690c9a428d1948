/** Which notices about the whole panel are shown, in their one place. */
import type { User } from "#contract/accounts/account.ts";

export type BillingStatus = NonNullable<User["account"]["billing"]>["status"];
export type Banner = "sessionExpired" | "technicalIssues" | "paused" | "pauseRequested" | "pastDue";

interface BannerFacts {
  /** The session expired, and no one has signed in or closed the notice since. */
  sessionExpired: boolean;
  /** Whether workspaces may be set up, restarted and changed. */
  instanceOperations: boolean;
  billingStatus: BillingStatus | null;
  /** Paused on request, not after failed payments. */
  isPauseRequested?: boolean;
}

/**
 * Every notice that applies, the most urgent first: none hides another. A lost session is shown alone, since nothing else can
 * be dealt with before signing in again.
 */
export function currentBanners({ sessionExpired, instanceOperations, billingStatus, isPauseRequested }: BannerFacts): Banner[] {
  if (sessionExpired) return ["sessionExpired"];
  const banners: Banner[] = [];
  if (!instanceOperations) banners.push("technicalIssues");
  if (billingStatus === "paused") banners.push(isPauseRequested ? "pauseRequested" : "paused");
  if (billingStatus === "past_due") banners.push("pastDue");
  return banners;
}
