import { sharedValues } from "../../words/shared-values.ts";
import { partOf } from "../../words/words-of.ts";
import { enHelp } from "./answers.ts";

const spoken = partOf("helpAnswers", enHelp, { de: () => import("./answers.de.ts") });

/** The help page's sections in the reader's language, each answer with the same id. */
export const helpSections = (): typeof enHelp =>
  spoken().map((section) => ({
    ...section,
    items: section.items.map((item) => ({ ...item, answer: fillShared(item.answer) })),
  })) as unknown as typeof enHelp;

/** The same as `wordsOf` does, for texts that it does not read. */
export const fillShared = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => String(sharedValues[name as keyof typeof sharedValues] ?? mark));
