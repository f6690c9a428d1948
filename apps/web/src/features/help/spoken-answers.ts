import { partOf } from "../../words/words-of.ts";
import { enHelp } from "./answers.ts";

/** The help page's sections in the reader's language, each answer with the same id. */
export const helpSections = partOf("helpAnswers", enHelp, { de: () => import("./answers.de.ts") });
