import type { Translated } from "../../../words/spoken.ts";
import type { passwordFirstWords } from "./words.ts";

export default {
  passwordFirst: {
    title: "Durch Ihr Passwort geschützt",
    text: "Eine Anmeldung über den Workspace allein öffnet diesen Abschnitt nicht.",
    enter: "Passwort eingeben",
  },
} satisfies Translated<{ passwordFirst: typeof passwordFirstWords }>;
