/** Words about the last change of version. */
export const updateWords = {
  title: "Last update",
  lead: "Before each change of version a backup is made. If the new version does not come to life, we go back by ourselves.",
  failed: "We could not load the last update",
  states: {
    running: "From {{from}} to {{to}}, under way.",
    successful: "From {{from}} to {{to}}, on {{time}}.",
    rolledBack: "The update from {{from}} to {{to}} was taken back on {{time}}. Everything is as it was before.",
    failed: "The update from {{from}} to {{to}} was not made.",
    wayBack: "Back from {{from}} to {{to}}, on {{time}}.",
  },
  asked: { owner: "You asked for it.", window: "It came by itself, in your maintenance window.", operator: "The service asked for it." },
  rollBack: "Go back to {{to}}…",
  rollBackUntil: "Until {{day}} you can go back to {{to}}.",
  dialogTitle: "Go back to {{to}}?",
  dialogLead:
    "Everything will be as it was before the update on {{time}}: workflows, credentials, executions and settings. What was made or changed since is gone from the workspace; it is kept as a backup on the Export page. The workspace is down for about a minute.",
  typeName: "Type {{name}} to confirm",
  confirm: "Go back",
  going: "Asking…",
  refused: "The workspace was not changed",
  asking: "Going back. You can follow it above.",
} as const;
