/** Words of the environment variables. */
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const variablesWords = {
  title: "Environment variables",
  lead: {
    n8n: "Workflows read them as $env.NAME. Everyone who builds workflows here can read the values.",
    "node-red": 'Flows read them as env.get("NAME") or ${NAME}. Everyone who builds flows here can read the values.',
  },
  failed: "Could not load the environment variables",
  empty: "No environment variables",
  emptyText: "Use them for addresses, keys and constants that several workflows share.",
  first: "Add environment variables",
  edit: "Edit",
  editNamed: "Edit {{name}}",
  done: "Done",
  marks: { new: "New", changed: "Changed", removed: "Removed", refused: "Check this" },
  noValue: "Empty",
  hidden: "Hidden",
  new: "New variable",
  takesEffect: {
    running: "Workflows use the changes a few seconds after you save, without a restart. Executions that are running may use them, too.",
    restart: "Saving restarts your workspace, which takes about a minute.",
  },
  kept: "Variables are not part of backups and exports, and stay with your account if the workspace is deleted.",
  save: "Save variables",
  name: "Name",
  pasteHint: "You can paste several lines of NAME=value at once.",
  paste: {
    tooMany: "Too many variables",
    tooManyText_one:
      "You pasted {{count}} new variable, but there is room for {{most}}: a workspace can have at most {{possible}}. Nothing was added. Your text is still in the clipboard.",
    tooManyText_other:
      "You pasted {{count}} new variables, but there is room for {{most}}: a workspace can have at most {{possible}}. Nothing was added. Your text is still in the clipboard.",
    tooLong: "Text too long",
    tooLongText:
      "You pasted {{count}} characters, but at most {{most}} are possible at once. Nothing was added. Your text is still in the clipboard.",
  },
  value: "Value",
  keep: "Saved. Type to replace it.",
  accepts: "{{engine}} setting. Accepts: {{values}}",
  settings_one: "{{count}} {{engine}} setting that you can change here",
  settings_other: "{{count}} {{engine}} settings that you can change here",
  settingsText: "All other names that {{engine}} reads are reserved: they decide where data is stored and who has access.",
  settingsRestart: "{{engine}} reads its settings when it starts: changing one restarts your workspace.",
  secret: "Hide the value in the panel",
  add: "Add variable",
  remove: "Remove",
  removeNamed: "Remove {{name}}",
  restoreNamed: "Undo removing {{name}}",
  saved: "Variables saved. Workflows use them in a few seconds.",
  savedRestarting: "Variables saved. The workspace is restarting.",
  saveFailed: "Could not save the variables",
  conflict: "The variables were changed in another tab",
  conflictText: "Your changes are kept. Show the current variables with your changes, check them, and save.",
  rebase: "Show current variables",
} as const;

export const t = wordsOf({ ...frameWords, variables: variablesWords }, { de: () => import("./words.de.ts") });
