/** Words of what stands between the panel and others: the challenge, consent, experiments. */
export const challengeWords = {
  label: "I am a person, not a program",
  hint: "Your browser solves a small sum for it. Nobody else hears of you.",
  loading: "Loading the check…",
  solving: "Checking… you can go on meanwhile.",
  solved: "Checked.",
  failedTitle: "The check could not be loaded",
  failedText: "Look at your connection, and at extensions that block scripts; then try again. Nothing you typed is lost.",
  insecureTitle: "The check needs a secure connection",
  insecureText: "Open this page at an address that begins with https, or tell whoever runs this service.",
  retrying: "Trying again…",
} as const;

export const nameWords = {
  checking: "Looking whether it is free…",
  free: "This name is free.",
} as const;

export const consentWords = {
  label: "Analytics",
  title: "May we count how the panel is used?",
  text: "With your permission we record which pages and steps are used, to make them better. Without it nothing is sent, and everything works the same.",
  allow: "Allow",
  decline: "Decline",
  manage: "Analytics choices",
} as const;

export const experimentWords = {
  page: "Experiments",
  title: "Experiments",
  lead: "Choose which variant this browser shows, to look at both. Nobody else sees a change, and no exposure is recorded for it.",
  assigned: "Assigned to you: {{variant}}",
  unassigned: "Not assigned",
  asAssigned: "As assigned",
  empty: "No experiment is running",
  emptyText: "When one runs, its variants can be chosen here.",
  notKept: "This browser keeps no storage: the choice is gone when you reload.",
} as const;
