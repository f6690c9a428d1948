/** Words of the checklist of the first days. */
import type { FirstDayStep } from "#contract/accounts/account-values.ts";
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

const steps = {
  open: { title: "Open your workspace", text: "You're signed in automatically." },
  workflow: { title: "Create your first workflow", text: "Start from a template or an empty canvas." },
  publish: { title: "Publish it", text: "Its schedules and webhooks then run automatically." },
  execution: { title: "See it run", text: "Runs started by a schedule, a webhook or another trigger count. Test runs do not." },
  teammate: { title: "Invite a teammate", text: "They get their own account in your workspace." },
  backup: { title: "Check your backups", text: "One is made and verified every night." },
} satisfies Record<FirstDayStep, { title: string; text: string }>;

export const firstDaysWords = {
  title: "Your first days",
  progress: "{{done}} of {{count}} done",
  done: "done",
  toDo: "to do",
  dismiss: "Hide this list",
  dismissed: "The list is hidden.",
  dismissFailed: "The list could not be hidden.",
  steps,
} as const;

export const t = wordsOf({ ...frameWords, firstDays: firstDaysWords }, { de: () => import("./words.de.ts") });
