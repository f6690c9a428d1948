/** The words of mails about a workspace. */
export const workspaceWords = {
  deleted: {
    subject: (account: string) => `Your workspace ${account} is being deleted`,
    preview: "Its workflows, executions and credentials are removed. A last backup is kept for 30 days.",
    heading: "Your workspace is being deleted",
    asked: (account: string, address: string) =>
      `The workspace of your account ${account} at ${address} is being deleted, as it was asked for in the panel. Its workflows, executions, credentials and people are removed. A last backup is kept for 30 days.`,
    goesOn: "Your account and your subscription go on: you can ask for a new workspace on the dashboard, and restore the last backup into it.",
    button: "Open the dashboard",
    notYou: "You didn't ask for this? Change your password now and write to us.",
  },
} as const;
