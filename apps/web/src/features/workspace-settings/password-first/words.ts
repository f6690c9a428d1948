/** Words of what the password opens. */
import { wordsOf } from "../../../words/words-of.ts";

export const passwordFirstWords = {
  title: "Protected by your password",
  text: "A sign-in from your workspace does not open this section on its own.",
  enter: "Enter password",
} as const;

export const t = wordsOf({ passwordFirst: passwordFirstWords }, { de: () => import("./words.de.ts") });
