/** Words of the banner that asks for permission. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const consentWords = {
  label: "Analytics",
  title: "Allow usage analytics?",
  text: "With your permission, we record which pages and steps are used so that we can improve them. If you decline, nothing is sent and everything works the same.",
  allow: "Allow",
  decline: "Decline",
} as const;

export const t = wordsOf({ ...frameWords, consent: consentWords }, { de: () => import("./words.de.ts") });
