/** Words of the developer bar, for testers. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const developerWords = {
  label: "Sandbox",
  about: "No real card is charged, and you can move the service's clock.",
  time: "Service time",
  ahead: "{{days}} ahead of now",
  days_one: "{{count}} day",
  days_other: "{{count}} days",
  move: "Move the clock forward",
  moving: "Moving the clock and processing due work…",
  moved: "It is now {{time}}. All due work is processed.",
  unsettled: "It is now {{time}}. Some due work is still being processed.",
  steps: { day: "+1 day", threeDays: "+3 days", fortnight: "+14 days", month: "+1 month" },
  custom: "Other step",
  customHint: "Such as 7d, 36h, 90m or 2mo.",
  customInvalid: "Enter a number and d, h, m or mo, such as 7d.",
  go: "Move",
  webhooks: "Webhooks",
  webhooksState: "{{waiting}} waiting, {{dropped}} dropped",
  delay: "Arrive 10 minutes late",
  duplicate: "Arrive twice",
  reorder: "Arrive newest first",
  drop: "Never arrive",
  sendDropped: "Send dropped webhooks",
  sendNewest: "Resend the newest 10",
  failed: "The action failed.",
  inbox: "Development inbox",
} as const;

export const t = wordsOf({ ...frameWords, developer: developerWords }, { de: () => import("./words.de.ts") });
