/** Words of the states of a workspace (SPEC §4), and of what is wrong with one. */
import type { TroubleCause } from "#contract/workspaces/workspace.ts";

export const workspaceStateWords = {
  "setting-up": { badge: "Setting up", text: "Your workspace is being set up. You can leave: it goes on without you." },
  starting: { badge: "Starting", text: "Your workspace starts for the first time. It is ready in a moment." },
  ready: { badge: "Online", text: "Everything is running." },
  trial: {
    badge: "Online",
    text: "Everything is running.",
    left_one: "Everything is running. Your trial ends within a day; with a plan it goes on as it is.",
    left_other: "Everything is running. Your trial goes on for {{count}} more days.",
    over: "Your trial is over. Choose a plan to keep the workspace running.",
  },
  expiring: {
    badge: "Set to expire",
    text: "Everything is running, until what you paid for is over.",
    left_one: "Everything is running. Your plan is set to expire within a day.",
    left_other: "Everything is running. Your plan is set to expire in {{count}} days.",
    notice: "Your subscription ends on {{date}}",
    noticeText:
      "On that day the workspace stops, and 7 days later it is deleted. A last backup is then kept for 30 days. Resubscribe to keep the workspace.",
  },
  pending: { badge: "Pending", text: "Changes are being applied. This takes a moment." },
  offline: { badge: "Offline", text: "It should answer and does not. We are working on bringing it back." },
  stopped: { badge: "Stopped", text: "It does not run. Your data is kept." },
  paused: {
    badge: "Paused",
    text: "Your subscription is paused, so the workspace does not run. Your data is kept.",
    notice: "Payments failed several times. Resubscribe, and it starts again as it was.",
    deletion_one: "Otherwise it is deleted in {{count}} day.",
    deletion_other: "Otherwise it is deleted in {{count}} days.",
  },
  "scheduled-for-deletion": {
    badge: "Stopped",
    text: "Workspace stopped. Your data is kept until the workspace is deleted.",
    notice: "Choose a plan to restart it as it was. After the deletion a last backup is kept for 30 days.",
  },
  deleting: { badge: "Deleting", text: "The workspace and everything in it is being deleted." },
} as const;

/** While it comes back by itself. */
export const backFromWords = {
  "out-of-memory": "It ran out of memory and is being started again.",
  "keeps-stopping": "It stopped unexpectedly and is being started again.",
  "not-answering": "It did not answer and is being started again.",
  "cannot-save": "It could not save anything. Its disk was checked, and it is being started again.",
  "not-starting": "It did not start at the last try. This is the next one.",
  "not-installed": "The engine could not be installed at the last try. This is the next one.",
  other: "Something went wrong on our side. It is being brought back.",
} as const satisfies Record<TroubleCause, string>;

/** What to do about it; the reason itself comes from the service. */
export const offlineTitle = "It does not answer";

export const offlineWords = {
  "out-of-memory": {
    next: "Let workflows work on fewer items at once, or choose a larger plan. We start it again by ourselves; its crash history says when it happened.",
  },
  "keeps-stopping": { next: "We start it again by ourselves, with longer pauses each time. Its logs say what happened before it stopped." },
  "not-answering": { next: "We start it again by ourselves if it stays so. A workflow that works very hard can keep it from answering." },
  "cannot-save": {
    next: "We check its disk and start it again. What it could not save in the last minutes may be missing: look at its latest executions.",
  },
  "not-starting": {
    next: "We try again by ourselves, with longer pauses each time. Its logs say how far it came. If it stays so, write to us.",
  },
  "not-installed": { next: "This is ours to solve, and we try again by ourselves. There is nothing you have to do." },
  other: { next: "We are looking after it by ourselves. If it stays so, restart it, then write to us." },
} as const satisfies Record<TroubleCause, { next: string }>;

export const nextStepWords = {
  title: "Next step",
  payment: {
    title: "Update your payment",
    text: "Your last payment failed. Your workspace goes on running for now.",
    action: "Go to billing",
  },
  resubscribe: { title: "Resubscribe", text: "Your workspace and everything in it stays as it is.", action: "Go to billing" },
  choosePlan: { title: "Choose a plan", text: "With a plan your workspace runs.", action: "See the plans" },
  newWorkspace: { title: "Create a new workspace", text: "It begins empty and is there in about a minute.", action: "Create it" },
  trialEnds: {
    title: "Keep your workspace",
    text: "Your trial ends soon. With a plan your workspace goes on as it is.",
    action: "See the plans",
  },
  invite: { title: "Bring your team", text: "Workflows are easier to keep alive by two. Ask somebody in.", action: "Invite people" },
} as const;
