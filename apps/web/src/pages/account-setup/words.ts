/** The first launch of a workspace. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const setupWords = {
  page: "Set up your workspace",
  title: "Set up your workspace",
  lead: "Two questions, then launch.",
  timezone: "Timezone",
  purpose: "What will you use it for first?",
  purposeHint: "Optional. Your answer helps us improve.",
  purposeOpen: "Not sure yet",
  purposes: {
    leads: "Capturing and following up leads",
    support: "Answering customer requests",
    reports: "Collecting data and sending reports",
    sync: "Keeping apps in sync",
    alerts: "Monitoring and alerts",
    documents: "Processing documents and files",
    agents: "AI agents and assistants",
    explore: "Just exploring",
  },
  advanced: "Advanced",
  address: "URL",
  engine: "Engine",
  trial: "Trial",
  trialText: `${trialDays} days free, starting now. No credit card required.`,
  submit: "Launch workspace",
  pending: "Launching…",
} as const;

export const t = wordsOf({ ...frameWords, setup: setupWords }, { de: () => import("./words.de.ts") });
