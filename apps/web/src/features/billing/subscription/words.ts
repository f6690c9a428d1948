/** What a cancellation leads to, and when; only its dialog says it. */
import { wordsOf } from "../../../words/words-of.ts";

export const leavingWords = {
  end: "The subscription ends, and you won't be charged again. Your workspace stops. A last backup is made and verified, then the workspace is deleted with its workflows and credentials.",
  endOther: "The subscription ends. Your workspace stops, and you won't be charged again.",
  deletion: "{{count}} days later",
  deletionText: "The workspace is deleted. A last backup is kept for {{backupDays}} days.",
  after: "For {{backupDays}} days: the last backup",
  afterText: "Resubscribe within this time, and everything comes back from it, at the same URL. After that it is deleted.",
} as const;

export const t = wordsOf({ leaving: leavingWords }, { de: () => import("./words.de.ts") });
