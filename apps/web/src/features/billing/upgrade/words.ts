/** Words of everything that leads to a plan: the button, the trial's days, requests by mail, and errors on the way. */
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
  byMail: {
    action: "Contact sales",
    none: "Contact the operator of this service.",
    subject: "Custom cloud plan request",
  },
  arranged: {
    title: "Your plan ends on {{date}}",
    text: "We set it up for you, so contact us to renew it. If it is not renewed, your workspace stops on that day, and 30 days later it is deleted. A last backup is then kept for {{backupDays}} days.",
    subject: "Our Slipway plan",
    action: "Contact support",
  },
} as const;

export const t = wordsOf({ ...frameWords, upgrade: upgradeWords }, { de: () => import("./words.de.ts") });
