/** The choice of a version for a new workspace, and its launch. */
import type { LaunchStep } from "#contract/workspaces/workspace-values.ts";
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const versionChoiceWords = {
  label: "{{engine}} version",
  newest: "{{version}} (newest)",
  hint: "The newest version launches fastest. You can update later, but not downgrade.",
} as const;

const steps = {
  "install-engine": { label: "Installing the engine", note: "Needed once per version, so the first launch takes longest." },
  prepare: { label: "Preparing your workspace", note: "A dedicated folder, keys and database." },
  start: { label: "Starting the engine", note: "The engine starts in your timezone." },
  "wait-until-ready": { label: "Waiting for a response", note: "We check the engine until it is ready." },
  "set-up-owner": { label: "Creating your owner account", note: "You'll arrive signed in." },
  "open-gateway": { label: "Publishing your URL", note: "Your workspace becomes reachable." },
} satisfies Record<LaunchStep, { label: string; note: string }>;

export const launchingWords = {
  page: "Launching your workspace",
  title: "Launching your workspace",
  lead: "You can close this page. The launch continues.",
  progress: "Launch progress",
  elapsed: "Elapsed: {{time}}",
  stepsLabel: "Launch steps",
  steps,
  state: { done: "done", current: "in progress", waiting: "waiting", failed: "failed" },
  expectTitle: "What to expect",
  expectUsual: "A launch takes a few seconds, or up to a minute on a busy server.",
  expectFirst: "The first launch of a version takes several minutes, because the engine is downloaded and verified first.",
  expectAddress: "Your workspace will be at {{address}}.",
  onlineLead: "You'll be signed in as its owner.",
  took: "Ready after {{time}}.",
  lateTitle: "This is taking longer than usual",
  lateText:
    "“{{step}}” has been running for {{time}}. It has not failed. We keep checking, and restart it if it does. You can close this page.",
  firstTitle: "What to do first",
  first: {
    build: { title: "Create a workflow", text: "Start from a template or an empty canvas." },
    publish: { title: "Publish it", text: "Its schedules and webhooks then run automatically." },
    invite: { title: "Invite your team", text: "They get their own accounts in your workspace." },
  },
  toDashboard: "Go to the dashboard",
  wrongTitle: "Retrying the launch",
  wrongNext:
    "We retry automatically, with longer pauses each time. You don't need to do anything. If this takes more than an hour, restart the workspace from the dashboard.",
  stoppedTitle: "The workspace is stopped",
} as const;

export const t = wordsOf(
  { ...frameWords, versionChoice: versionChoiceWords, launching: launchingWords },
  { de: () => import("./words.de.ts") },
);
