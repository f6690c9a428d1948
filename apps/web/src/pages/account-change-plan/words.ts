/** What a plan brings back after the workspace was deleted, and what buying it does to a running one. */
import { wordsOf } from "../../words/words-of.ts";

export const returningWords = {
  title: "Your workspace can come back",
  restored:
    "Its last backup of {{made}} is kept until {{until}}. With a plan, everything is restored from it: workflows, credentials and executions, at the same URL.",
  emptyTitle: "You start with an empty workspace",
  empty: "There is no backup to restore your last workspace from. Your plan starts a new, empty one, at the same URL.",
  deletingTitle: "Your workspace is being deleted",
  deleting: "A last backup is made and verified first. With a plan, your workspace stays, or comes back from that backup.",
  name: "Workspace",
  restoredRow: "Restored from its last backup of {{made}}",
  emptyRow: "A new, empty one",
} as const;

export const runningWords = {
  restarts:
    "If the plan adds memory, log retention or features, your workspace restarts once after the payment. It is down for about a minute; incoming webhooks are queued.",
} as const;

export const t = wordsOf({ returning: returningWords, running: runningWords }, { de: () => import("./words.de.ts") });
