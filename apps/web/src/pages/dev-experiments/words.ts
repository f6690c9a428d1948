/** Words of the page on which testers choose variants. */
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
