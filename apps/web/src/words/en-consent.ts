/** Words of the permission that is asked for, and of the experiments that testers choose. */
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
