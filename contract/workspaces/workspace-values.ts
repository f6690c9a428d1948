/** The fixed values of a workspace, separate from their schemas, so that a page that only shows a workspace does not load zod. */

/** Derived for people from desired and observed state; no code makes decisions based on it. */
export const instanceStatus = { offline: 0, online: 1, pending: 2, stopped: 3 } as const;

/** The steps of a launch, in order, as the panel lists them. */
export const launchSteps = ["install-engine", "prepare", "start", "wait-until-ready", "set-up-owner", "open-gateway"] as const;
export type LaunchStep = (typeof launchSteps)[number];

/** Why a workspace has a problem, used by the panel to choose its words; `reason` is the full sentence. */
export const troubleCauses = [
  "out-of-memory",
  "keeps-stopping",
  "moving",
  "not-answering",
  "cannot-save",
  "not-starting",
  "not-installed",
  "waits-for-backup",
  "other",
] as const;
export type TroubleCause = (typeof troubleCauses)[number];

/** The timezone of a workspace that was requested without one. */
export const defaultTimezone = "Etc/UTC";

/** `stable`: releases whose minor version has a successor, so that its issues are known. `newest`: every qualified release. */
export const releaseChannels = ["stable", "newest"] as const;
export type ReleaseChannel = (typeof releaseChannels)[number];

export const maintenanceDays = ["any", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** The length of a maintenance window in hours. */
export const maintenanceHours = 4;

/** Environment variables that an owner may set. */
export const mostVariables = 50;
