/** The words of mails about a workspace. */
export const workspaceWords = {
  deleted: {
    subject: (account: string) => `Your workspace ${account} is being deleted`,
    preview: "Its workflows, executions and credentials are removed. A last backup is kept for 30 days.",
    heading: "Your workspace is being deleted",
    asked: (account: string, address: string) =>
      `The workspace of your account ${account} at ${address} is being deleted, as requested in the panel. Its workflows, executions, credentials and people are removed. A last backup is kept for 30 days.`,
    goesOn:
      "Your account and your subscription continue. On the Export page you can download the last backup; on the dashboard you can create a new workspace and then restore it there.",
    button: "Open the dashboard",
    notYou: "You didn't ask for this? Change your password now and write to us.",
  },
} as const;
