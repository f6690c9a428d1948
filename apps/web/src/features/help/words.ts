/** Words of the manage area and of the help page. */
export const manageWords = {
  page: "Manage",
  title: "Manage your workspace",
  lead: "What it is, how it is, and what happened to it.",
  settings: "Workspace settings",
  status: "Status",
  operationsOff: "Not possible at the moment, because of technical issues. Try again when the notice above is gone.",
  people: "People",
  peopleText: "Invite the people you work with.",
} as const;

export const helpWords = {
  page: "Help",
  title: "Help",
  lead: "Short answers to what people ask first.",
  search: "Search the answers",
  searchHint: "Press / to search, and the arrow keys to go through the answers.",
  found_one: "{{count}} answer found",
  found_other: "{{count}} answers found",
  none: "Nothing found for “{{query}}”",
  noneText: "Try fewer or other words, or write to us.",
  clear: "Clear search",
  link: "Link to this answer",
  linkFor: "Link to the answer to: {{question}}",
  support: "Not answered? Write to us",
  supportText: "Tell us your account name and what you did. If you saw a request number, add it.",
  supportSubject: "Help with {{name}}",
  now: {
    label: "About your account",
    signedOut: {
      title: "New here?",
      text: "Create an account, and your own workspace runs minutes later. The trial takes 14 days and asks for no card.",
      action: "Create an account",
    },
    onTheWay: { title: "Your workspace is not launched yet", text: "Go on where you stopped." },
    operationsOff: {
      title: "Workspaces cannot be changed at the moment",
      text: "We are having technical issues. Those that run go on running; setting up and restarting is possible again later.",
    },
    pastDue: {
      title: "Your last payment failed",
      text: "Your workspace keeps running for now. Update your payment method to avoid an interruption.",
      action: "Go to billing",
    },
    paused: {
      title: "Your subscription is paused",
      text: "Your workspace is stopped because payments failed. Its data is kept.",
      action: "Go to billing",
    },
    offline: {
      title: "Your workspace is offline",
      text: "It should answer and does not. We restart it by ourselves; its recent events say what happened. If it stays offline, restart it, then write to us.",
      action: "Look at its recent events",
    },
    pending: {
      title: "A change of your workspace is being applied",
      text: "It answers again in a moment. You can follow every step.",
      action: "Watch it",
    },
    stopped: { title: "Your workspace is stopped", text: "It does not run, and its data is kept.", action: "See why" },
    online: { title: "Your workspace is online", text: "All systems running.", action: "Manage it" },
  },
} as const;
