/** The fixed values of a workspace, apart from the schemas made of them: a page that only shows a workspace does not load zod. */

/** Derived for people from desired and observed state; no code decides by it. */
export const instanceStatus = { offline: 0, online: 1, pending: 2, stopped: 3 } as const;

/** The steps of a launch, in order, as the panel lists them. */
export const launchSteps = ["install-engine", "prepare", "start", "wait-until-ready", "set-up-owner", "open-gateway"] as const;
export type LaunchStep = (typeof launchSteps)[number];

/** Why a workspace is not well, for the panel to choose its words by; `reason` says it in a sentence. */
export const troubleCauses = [
  "out-of-memory",
  "keeps-stopping",
  "not-answering",
  "cannot-save",
  "not-starting",
  "not-installed",
  "other",
] as const;
export type TroubleCause = (typeof troubleCauses)[number];

/** The timezone of a workspace that was requested without one. */
export const defaultTimezone = "Etc/UTC";

/** `stable`: releases whose minor version has a successor, so that its faults are known. `newest`: every qualified release. */
export const releaseChannels = ["stable", "newest"] as const;
export type ReleaseChannel = (typeof releaseChannels)[number];

export const maintenanceDays = ["any", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Hours that a maintenance window is open. */
export const maintenanceHours = 4;

/** Fewer are gone before anybody can look at what failed. */
export const fewestExecutionsToKeep = 100;
/** n8n's own default; more make its SQLite database large and slow. */
export const mostExecutionsToKeep = 10_000;

/** The most that a plan lets a workspace keep: a month's worth, within the above. -1 is any number a month. */
export function executionsToKeepLimit(monthlyExecutionsLimit: number): number {
  if (monthlyExecutionsLimit < 0) return mostExecutionsToKeep;
  return Math.min(Math.max(monthlyExecutionsLimit, fewestExecutionsToKeep), mostExecutionsToKeep);
}

/** Environment variables that an owner may set. */
export const mostVariables = 50;
