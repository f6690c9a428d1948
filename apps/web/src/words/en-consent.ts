/** Words of the permission that is asked for. */
export const consentWords = {
  label: "Analytics",
  title: "May we count how the panel is used?",
  text: "With your permission we record which pages and steps are used, to make them better. Without it nothing is sent, and everything works the same.",
  allow: "Allow",
  decline: "Decline",
} as const;
