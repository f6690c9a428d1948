/** The words of the help page, except for its answers (answers.ts). */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { frameWords } from "../../words/frame.ts";
import { bannerWords } from "../banner/words.ts";
import { wordsOf } from "../../words/words-of.ts";

export const helpWords = {
  page: "Help",
  title: "Help",
  lead: "Answers to common questions",
  search: "Search the answers",
  searchExample: "restore a backup, invoices, password …",
  searchHint: "Press / to search, and use the arrow keys to browse the answers.",
  found_one: "{{count}} answer found",
  found_other: "{{count}} answers found",
  closest_one: "No answer has all these words. The closest answer:",
  closest_other: "No answer has all these words. The closest {{count}} answers:",
  none: "No results for “{{query}}”",
  noneText: "Try fewer or different words, or write to us.",
  clear: "Clear search",
  subjects: "Topics",
  open: "Open {{place}}",
  link: "Link to this answer",
  linkFor: "Link to the answer to: {{question}}",
  support: "Still need help? Write to us",
  supportText: "Include your account name, what you did, and the request number if you saw one.",
  supportSubject: "Help with {{name}}",
  now: {
    label: "About your account",
    signedOut: {
      title: "New here?",
      text: `Create an account and launch your own workspace in minutes. ${trialDays}-day free trial. No credit card required.`,
      action: "Create an account",
    },
    onTheWay: { title: "Your workspace is not launched yet", text: "Continue where you left off." },
    operationsOff: {
      title: "Workspaces cannot be changed at the moment",
      text: "We are having technical issues. Running workspaces keep running. You can set up and restart workspaces again once the issues are resolved.",
    },
    pastDue: bannerWords.pastDue,
    paused: {
      title: "Your subscription is paused",
      text: "Your workspace is stopped because payments failed. Its data is kept.",
      action: "Go to billing",
    },
    offline: {
      title: "Your workspace is offline",
      text: "It is not responding. We restart it automatically, and its recent events show what happened. If it stays offline, restart it, then write to us.",
      action: "View recent events",
    },
    pending: {
      title: "A change to your workspace is being applied",
      text: "It will be back in a moment. You can follow every step.",
      action: "View progress",
    },
    stopped: { title: "Your workspace is stopped", text: "Its data is kept.", action: "See why" },
    online: { title: "Your workspace is online", text: "All systems running.", action: "Manage workspace" },
  },
} as const;

export const t = wordsOf({ ...frameWords, help: helpWords }, { de: () => import("./words.de.ts") });
