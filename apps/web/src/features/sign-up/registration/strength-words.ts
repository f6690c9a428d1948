/** Words of how good a chosen password is. */
import { wordsOf } from "../../../words/words-of.ts";

export const strengthWords = {
  level: "Strength: {{level}}",
  weak: "weak",
  fair: "fair",
  good: "good",
  strong: "strong",
  hint: "8 to 64 characters. A few unrelated words make a good one.",
} as const;

export const t = wordsOf({ strength: strengthWords }, { de: () => import("./strength-words.de.ts") });
