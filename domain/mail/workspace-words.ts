/** The words of mails about a workspace. */
export const workspaceWords = {
  deleted: {
    subject: (account: string) => `Your workspace ${account} is being deleted`,
    preview: "Its workflows, executions and credentials are removed for good.",
    heading: "Your workspace is being deleted",
    asked: (account: string, address: string) =>
      `The workspace of your account ${account} at ${address} is being deleted, as it was asked for in the panel. Its workflows, executions, credentials and people are removed for good.`,
    goesOn: "Your account and your subscription go on: you can ask for a new, empty workspace on the dashboard.",
    button: "Open the dashboard",
    notYou: "You didn't ask for this? Change your password now and write to us.",
  },
} as const;
