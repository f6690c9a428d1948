/** The words of a workspace's states and problems. */
import type { TroubleCause } from "#contract/workspaces/workspace-values.ts";

export const workspaceStateWords = {
  "setting-up": { badge: "Setting up", text: "Your workspace is being set up. You can close this page. The launch continues." },
  starting: { badge: "Starting", text: "Your workspace is starting for the first time. It will be ready in a moment." },
  ready: { badge: "Online", text: "All systems running." },
  trial: {
    left_one: "All systems running. Your trial ends within a day. Choose a plan to keep your workspace running.",
    left_other: "All systems running. {{count}} days left in your trial.",
    over: "Your trial is over. Choose a plan to keep the workspace running.",
  },
  expiring: {
    badge: "Set to expire",
    text: "All systems running until your paid period ends.",
    left_one: "All systems running. Your plan is set to expire within a day.",
    left_other: "All systems running. Your plan is set to expire in {{count}} days.",
    notice: "Your subscription ends on {{date}}",
    noticeText:
      "On that day a last backup is made, and the workspace is deleted with its workflows and credentials. The last backup is kept for {{backupDays}} days: resubscribe within that time, and everything comes back. Resubscribe now to keep the workspace.",
  },
  pending: { badge: "Pending", text: "Changes are being applied. This takes a moment." },
  offline: { badge: "Offline", text: "Your workspace is not responding. We are bringing it back online." },
  stopped: { badge: "Stopped", text: "Workspace stopped. Your data is kept." },
  paused: {
    badge: "Paused",
    text: "Your subscription is paused, so the workspace is stopped. Your data is kept.",
    requested: "It was paused on request. Nothing is charged or deleted until it resumes.",
    notice: "Payments failed several times. Resubscribe to restart the workspace as it was.",
    deletion_one: "Otherwise it is deleted in {{count}} day.",
    deletion_other: "Otherwise it is deleted in {{count}} days.",
  },
  "scheduled-for-deletion": {
    text: "Workspace stopped. Your data is kept until the workspace is deleted.",
    notice: "Choose a plan to restart it as it was. After the deletion a last backup is kept for {{backupDays}} days.",
  },
  deleting: {
    badge: "Deleting",
    text: "The workspace and everything in it are being deleted.",
    backup: "First, a last backup is made.",
  },
} as const;

/** Online, with nothing to do. */
export const asleepWords = {
  badge: "Asleep",
  text: "Asleep because of inactivity. The next request wakes it in a moment.",
  waking: "Your workspace was asleep and is waking up. This takes a few seconds.",
} as const;

/** The words of a return from the last backup are fetched by the few who need them (`card/words.ts`). */
type OtherCause = Exclude<TroubleCause, "waits-for-backup">;

/** While it restarts automatically. */
export const backFromWords = {
  "out-of-memory": "It ran out of memory and is restarting.",
  "keeps-stopping": "It stopped unexpectedly and is restarting.",
  moving: "It was moved off its server and is restarting.",
  "not-answering": "It stopped responding and is restarting.",
  "cannot-save": "It could not save any data. Its disk was checked, and it is restarting.",
  "not-starting": "The last attempt to start it failed. We are trying again.",
  "not-installed": "The last attempt to install the engine failed. We are trying again.",
  other: "Something went wrong on our side. We are bringing it back online.",
} as const satisfies Record<OtherCause, string>;

/** What to do about it; the reason itself comes from the service. */
export const offlineTitle = "Workspace not responding";

export const offlineWords = {
  "out-of-memory": {
    next: "Process fewer items at a time in your workflows, or choose a larger plan. We restart it automatically. Its crash history shows when it happened.",
  },
  "keeps-stopping": { next: "We restart it automatically, with longer pauses each time. Its logs show what happened before it stopped." },
  moving: { next: "This is maintenance on our side. You don't need to do anything." },
  "not-answering": { next: "We restart it automatically if this continues. A workflow with heavy processing can keep it from responding." },
  "cannot-save": {
    next: "We check its disk and restart it. Data from the last few minutes may be missing: check its latest executions.",
  },
  "not-starting": {
    next: "We retry automatically, with longer pauses each time. Its logs show how far it got. If the problem persists, write to us.",
  },
  "not-installed": { next: "This is a problem on our side, and we retry automatically. You don't need to do anything." },
  other: { next: "We are working on it. If the problem persists, restart the workspace, then write to us." },
} as const satisfies Record<OtherCause, { next: string }>;

/** The one headline of each state. */
export const stateHeadlines = {
  unconfirmed: "Confirm your email address to continue",
  "half-way": "Finish setting up your workspace",
  none: "No active workspace",
  ended: "No active workspace",
  "setting-up": "Your workspace is being set up",
  starting: "Your workspace is starting",
  "launch-delayed": "Your launch is taking longer than usual",
  applying: "Your changes are being applied",
  updating: "Your workspace is being updated",
  restoring: "Your backup is being restored",
  recovering: "Your workspace is coming back online",
  offline: "Your workspace is not responding",
  "offline-for-us": "Your workspace is offline because of a problem on our side",
  stopped: "Your workspace is stopped",
  paused: "Your workspace is paused",
  "scheduled-for-deletion": "Your workspace will be deleted",
  deleting: "Your workspace is being deleted",
  "over-quota": "Your workflows have stopped",
  "first-day": "Your workspace is ready for its first workflow",
  asleep: "Your workspace is asleep",
  online: "Your workspace is online",
  "trial-ending": "Your trial ends soon",
  "trial-over": "Your trial is over",
  expiring: "Your plan is set to expire",
} as const;
