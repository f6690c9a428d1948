import type { Translated } from "../../../words/spoken.ts";
import type { versionChoiceWords } from "./words.ts";

export default {
  versionChoice: {
    label: "{{engine}}-Version",
    newest: "{{version}} (neueste)",
    hint: "Die neueste Version startet am schnellsten. Sie können später aktualisieren, aber nicht zurück.",
  } satisfies Translated<typeof versionChoiceWords>,
};
