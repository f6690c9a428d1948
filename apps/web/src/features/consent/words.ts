/** Words of the permission that is asked for. */
export const consentWords = {
  label: "Analytics",
  title: "Allow usage analytics?",
  text: "With your permission, we record which pages and steps are used so that we can improve them. If you decline, nothing is sent and everything works the same.",
  allow: "Allow",
  decline: "Decline",
} as const;
