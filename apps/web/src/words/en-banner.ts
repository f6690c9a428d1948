/** Words of the notices about the whole panel. */
export const bannerWords = {
  label: "Notices",
  sessionExpired: { title: "Session expired", text: "Log in again to go on where you were." },
  technicalIssues: {
    title: "We are having technical issues",
    text: "Workspaces cannot be set up, restarted or changed at the moment. Those that run go on running. This notice goes away by itself.",
  },
  pastDue: {
    title: "Your last payment failed",
    text: "Your workspace goes on running for now. Update your payment so that it stays that way.",
    action: "Go to billing",
  },
  paused: {
    title: "Your subscription is paused",
    text: "Payments failed several times, so your workspace is stopped. Its data is kept. Resubscribe to restore it.",
    action: "Go to billing",
  },
} as const;
