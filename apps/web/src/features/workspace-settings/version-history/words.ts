/** Words of the version history. */
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const historyWords = {
  title: "Version history",
  lead: "Which versions ran when, and who changed them",
  failed: "The version history could not be loaded",
  none: "This is the only version that has run here. Updates and rollbacks appear in this list.",
  more: "Show older versions",
  current: "Current",
  left: "Rolled back",
  since: "since {{day}}",
  days_one: "{{count}} day",
  days_other: "{{count}} days",
  ran: {
    launch: "Installed at launch.",
    owner: "Updated by you.",
    window: "Updated automatically in your maintenance window.",
    operator: "Updated by the service.",
    "roll-back": "Restored by your rollback, with everything as it was before the update.",
  },
  to: "Update to {{version}}",
  toBack: "Rollback to {{version}}",
  states: { running: "In progress", "rolled-back": "Undone", failed: "Not installed" },
  tried: {
    owner: "Requested by you.",
    window: "Started automatically in your maintenance window.",
    operator: "Requested by the service.",
    "roll-back": "Requested by you.",
  },
  stayed: "{{version}} stayed installed, with everything as it was.",
} as const;

export const t = wordsOf({ ...frameWords, history: historyWords }, { de: () => import("./words.de.ts") });
