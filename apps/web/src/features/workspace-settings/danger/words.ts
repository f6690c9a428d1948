/** Words of deleting the workspace. */
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const dangerWords = {
  pageLead: "Actions that cannot be undone",
  title: "Delete this workspace",
  delete: "Delete workspace",
  text: "The workspace stops immediately. A last backup is kept for {{backupDays}} days: you can download it, or restore it into a new workspace.",
  removed: "Removed",
  workflows: "Workflows and their executions",
  credentials: "Credentials and installed nodes",
  access: "Everyone's access to the workspace",
  kept: "Kept",
  backup: "A last backup, for {{backupDays}} days",
  variables: "Environment variables",
  account: "Your account and your subscription",
  dialogTitle: "Delete the workspace?",
  dialogLead:
    "Workflows, executions and credentials of {{name}} are removed. A last backup is kept for {{backupDays}} days: you can download it, or restore it into a new workspace. After that nothing can be recovered.",
  export: "Export your workflows first",
  typeName: "Type {{name}} to confirm",
  confirm: "Delete workspace",
  deleting: "Deleting…",
  failed: "The workspace could not be deleted",
  asked: "The workspace is being deleted. We sent you an email about it.",
} as const;

export const t = wordsOf({ ...frameWords, danger: dangerWords }, { de: () => import("./words.de.ts") });
