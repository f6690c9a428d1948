/** Words of the challenge and of the account name that is checked while one types. */
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
