/** Words about the usage of a plan. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const usageWords = {
  none: "No usage yet",
  noneText: "Executions and active workflows appear here within a minute of your workspace being online.",
  executions: "Executions",
  workflows: "Active workflows",
  ofLimit: "{{used}} of {{limit}}",
  unlimited: "{{used}}, unlimited",
  left: "{{count}} left",
  until: "{{from}} to {{to}}",
  since: "Since {{from}}",
  forecast: "About {{count}} by {{date}} at the current rate",
  forecastOver: "About {{count}} by {{date}} at the current rate, which is more than your plan includes",
  nearly: {
    title: "{{percent}}% of your executions are used",
    text: "When you have used all of them, workflows stop running. Your executions reset on {{date}}.",
    trialText: "When you have used all of them, workflows stop running.",
  },
  reached: {
    title: "You have used all your executions, so workflows have stopped",
    text: "They run again on {{date}}, or immediately with a larger plan. Nothing is lost: you can open, change and export everything.",
    trialText: "They run again with a larger plan. Nothing is lost: you can open, change and export everything.",
  },
  workflowsReached: {
    title: "All active workflows of your plan are in use",
    text: "To activate another workflow, deactivate one first or choose a larger plan.",
  },
  seePlans: "See plans",
  whatCounts: "What counts as an execution?",
  counts:
    "Each automatic start of a workflow: by its schedule, a webhook or another trigger, or when a failed execution is retried. It counts once, no matter how many steps it has and whether it fails.",
  countsNot:
    "Test runs in the editor do not count, nor do workflows called by another workflow, nor calls refused because all executions are used.",
  webhooks: {
    line: "Webhooks: {{percent}}% answered, {{median}} at the median, last 24 hours.",
    unanswered: "Webhooks: {{percent}}% answered, last 24 hours.",
    none: "Webhooks: no calls in the last 24 hours.",
    more: "Monitoring",
  },
  byWorkflow: {
    title: "By workflow, this period",
    executions_one: "{{count}} execution",
    executions_other: "{{count}} executions",
    failed: "{{failed}} failed",
    note: "The busiest workflows, as your workspace reports them. Executions interrupted by a crash are not counted as failed here.",
  },
  chart: {
    title: "Last 30 days",
    label_one: "{{count}} execution in the last 30 days, {{failed}} of them failed.",
    label_other: "{{count}} executions in the last 30 days, {{failed}} of them failed.",
    succeeded: "Succeeded",
    failed: "Failed",
    bar: "{{date}}: {{executions}} run, {{failed}} failed",
    table: "Show as a table",
    date: "Day (UTC)",
    empty: "No executions in the last 30 days",
    emptyText: "Publish a workflow, and each day's runs appear here.",
  },
} as const;

export const t = wordsOf({ ...frameWords, usage: usageWords }, { de: () => import("./words.de.ts") });
