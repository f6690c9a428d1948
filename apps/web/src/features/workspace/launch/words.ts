/** The choice of a version for a new workspace. */
import { wordsOf } from "../../../words/words-of.ts";

export const versionChoiceWords = {
  label: "{{engine}} version",
  newest: "{{version}} (newest)",
  hint: "The newest version launches fastest. You can update later, but not downgrade.",
} as const;

export const t = wordsOf({ versionChoice: versionChoiceWords }, { de: () => import("./words.de.ts") });
