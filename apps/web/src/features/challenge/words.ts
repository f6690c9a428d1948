/** Words of the challenge and of the account name that is checked while one types. */
export const challengeWords = {
  label: "I am human",
  hint: "A quick check in your browser. No data is shared with third parties.",
  loading: "Loading the check…",
  solving: "Checking… You can keep filling in the form.",
  solved: "Verified.",
  failedTitle: "The check could not be loaded",
  failedText: "Check your connection and any extensions that block scripts, then try again. Everything you entered is kept.",
  insecureTitle: "The check needs a secure connection",
  insecureText: "Open this page over HTTPS, or contact the operator of this service.",
  retrying: "Trying again…",
} as const;

export const nameWords = {
  checking: "Checking availability…",
  free: "This name is available.",
} as const;
