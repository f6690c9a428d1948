/** Words of the mails that are sent: what each is, when it is sent, and why some cannot be turned off. */
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

const optional = {
  usage: { label: "Usage warnings", hint: "When 80% of your plan's executions are used." },
  updates: { label: "Installed updates", hint: "When your workspace runs a new version." },
  exports: { label: "Finished exports", hint: "When an export without credentials is ready to download." },
} satisfies Record<OptionalMail, { label: string; hint: string }>;

export const notificationWords = {
  page: "Notifications",
  title: "Notifications",
  lead: "The emails we send to {{email}}. Changes apply immediately.",
  off: "“{{name}}” emails are off.",
  on: "“{{name}}” emails are on.",
  failed: "Your choice could not be saved",
  always: "Always sent",
  subjects: {
    workspace: {
      title: "Your workspace",
      lead: "Turn off what you don't want to read. Emails about stopped workflows, credentials and deletions are always sent.",
    },
    billing: { title: "Plan and payments", lead: "Always sent, because they concern your money and dates you should not miss." },
    security: {
      title: "Sign-in and security",
      lead: "Always sent, because you need them to sign in, and to notice if someone else tries to.",
    },
  },
  mails: {
    ...optional,
    stopped: { label: "Used-up executions", hint: "When all executions of your plan are used and workflows stop." },
    failedUpdates: {
      label: "Failed updates",
      hint: "When an update fails or is undone, or your workspace returns to its earlier version.",
    },
    credentials: { label: "Exports with credentials", hint: "When an export that contains credentials is ready to download." },
    deletion: { label: "Deletions", hint: "Three days before a workspace without a plan is deleted, and when one is deleted." },
    receipts: { label: "Receipts", hint: "After each payment, with the invoice." },
    payments: {
      label: "Payment problems",
      hint: "When a payment fails, needs your confirmation or is made twice, and when a failed one succeeds.",
    },
    cards: { label: "Expiring cards", hint: "In the month before the card you pay with expires." },
    plan: { label: "Plan changes", hint: "When your trial or plan starts, changes, is cancelled or continues." },
    end: { label: "End of the trial or plan", hint: "Some days before it ends, and when it has ended." },
    links: { label: "Links you request", hint: "To sign in, to choose a password or to confirm your address." },
    access: {
      label: "Changes to your sign-in",
      hint: "When your password or address is changed, or someone tries to change or register your address.",
    },
  },
} as const;

export const t = wordsOf({ ...frameWords, notifications: notificationWords }, { de: () => import("./words.de.ts") });
