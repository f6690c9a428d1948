/** Words about the last change of version. */
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const updateWords = {
  title: "Last update",
  failed: "The last update could not be loaded",
  states: {
    running: "From {{from}} to {{to}}, in progress.",
    successful: "From {{from}} to {{to}}, on {{time}}.",
    rolledBack: "The update from {{from}} to {{to}} was rolled back on {{time}}. Everything is as it was before.",
    failed: "The update from {{from}} to {{to}} was not installed.",
    wayBack: "Rolled back from {{from}} to {{to}}, on {{time}}.",
  },
  asked: {
    owner: "Requested by you.",
    window: "Installed automatically in your maintenance window.",
    operator: "Requested by the service.",
  },
  rollBack: "Roll back to {{to}}…",
  rollBackUntil: "You can roll back to {{to}} until {{day}}.",
  dialogTitle: "Roll back to {{to}}?",
  dialogLead:
    "Workflows, credentials, executions and settings return to their state before the update on {{time}}. Later changes are removed from the workspace and kept as a backup on the Backups page. The workspace is down for about a minute.",
  typeName: "Type {{name}} to confirm",
  confirm: "Roll back",
  going: "Rolling back…",
  refused: "The workspace was not changed",
  asking: "Rolling back. You can follow the progress above.",
  history: {
    title: "Version history",
    lead: "Which version ran when, and who changed it.",
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
    stayed: "{{version}} kept running, with everything as it was.",
  },
} as const;

export const t = wordsOf({ ...frameWords, updates: updateWords }, { de: () => import("./words.de.ts") });
