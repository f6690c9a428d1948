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
} as const;

export const t = wordsOf({ ...frameWords, updates: updateWords }, { de: () => import("./words.de.ts") });
