/** Words of what leads to a plan from everywhere: the button, the trial's days, and what goes wrong on the way. */
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const upgradeWords = {
  label: "Plan",
  upgradePlan: "Upgrade plan",
  resubscribe: "Resubscribe",
  changeInstanceSize: "Change plan",
  /** The notice for `past_due` and `paused`. */
  updateBillingFirst: "Please update your billing information first, then change your plan.",
  trialLeft_one: "{{count}} day left in trial",
  trialLeft_other: "{{count}} days left in trial",
  trialOver: "Trial ended",
  ended: "Your subscription has ended",
  metaFailed: "Could not load user plan meta",
} as const;

export const t = wordsOf({ ...frameWords, upgrade: upgradeWords });
