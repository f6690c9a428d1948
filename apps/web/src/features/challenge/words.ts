/** The words of the challenge. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const challengeWords = {
  label: "I am human",
  hint: "A quick check in your browser, without third parties.",
  loading: "Loading the check…",
  solving: "Checking… You can keep filling in the form.",
  solved: "Verified.",
  failedTitle: "The check could not be loaded",
  failedText: "Check your connection and any extensions that block scripts, then try again. Everything you entered is kept.",
  insecureTitle: "The check needs a secure connection",
  insecureText: "Open this page over HTTPS, or contact the operator of this service.",
  retrying: "Trying again…",
} as const;

export const t = wordsOf({ ...frameWords, challenge: challengeWords }, { de: () => import("./words.de.ts") });
