/** The words of the page for visitors. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const frontWords = {
  plansLink: "Plans",
  start: "Start your free trial",
  startShort: "Start free",
  noCard: `${trialDays} days free. No credit card required.`,
  givenTitle: "What you get",
  given: {
    own: {
      title: "Isolated from everyone else",
      text: "Each workspace is a separate process with its own files, memory limit and encryption key, at its own URL.",
    },
    running: {
      title: "Kept running",
      text: "Health checks, restarts, tested updates and a maintenance window of your choice. You see every event.",
    },
    backups: {
      title: "Backed up every night",
      text: "Backups are encrypted and verified. Restore one with a click, or download it.",
    },
    yours: {
      title: "Yours to keep",
      text: "Export workflows and credentials at any time, and import them anywhere the editor runs.",
    },
  },
  plansTitle: "Plans",
  plansText: "Every plan starts with the free trial. Change or cancel at any time.",
  loading: "Loading plans",
  end: "Launch your workspace today",
} as const;

export const t = wordsOf({ ...frameWords, front: frontWords }, { de: () => import("./words.de.ts") });
