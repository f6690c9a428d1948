/** The words of mails about what was used. */
const number = (value: number): string => value.toLocaleString("en-US");

export const usageWords = {
  nearly: {
    subject: "80% of your executions are used",
    preview: "Your workflows keep running for now.",
    heading: "80% of your executions are used",
    used: (account: string, plan: string, used: number, limit: number) =>
      `Your workspace ${account} has used ${number(used)} of the ${number(limit)} executions of the ${plan} plan. When all are used, workflows stop running.`,
  },
  reached: {
    subject: "All your executions are used: workflows have stopped",
    preview: "Nothing is lost. They run again with a larger plan.",
    heading: "All your executions are used",
    used: (account: string, plan: string, _used: number, limit: number) =>
      `Your workspace ${account} has used all ${number(limit)} executions of the ${plan} plan. Workflows do not run until there are new ones. Everything in your workspace stays as it is: you can open it, change it, export it.`,
  },
  resets: (date: string) => `New executions come on ${date}. With a larger plan you have them at once.`,
  noReset: "With a larger plan you have new executions at once.",
  button: "See plans",
} as const;
