/** The words about signing in, in each language. */
import type { Language } from "../../workspace-side/reader-language.mts";
import { settingUpWords } from "../../workspace-side/page.mts";
import type { TokenRefusal } from "../../workspace-side/token-check.mts";

interface SignInWords {
  refusals: Record<TokenRefusal, readonly [heading: string, sentence: string]>;
  settingUp: readonly [heading: string, sentence: string];
  /** In the dialog of Node-RED's editor. */
  openFromPanel: string;
  toPanel: string;
}

export const signInWords: Record<Language, SignInWords> = {
  en: {
    refusals: {
      invalid: ["This link is not valid", "Open the workspace from the panel again."],
      expired: ["This link has expired", "A link works for a minute. Open the workspace from the panel again."],
      used: ["This link has already been used", "A link works once. Open the workspace from the panel again."],
      other_workspace: ["This link is for another workspace", "Go to the panel and open this workspace from there."],
    },
    settingUp: settingUpWords.en,
    openFromPanel: "Open this workspace from its panel to sign in.",
    toPanel: "Go to the panel",
  },
  de: {
    refusals: {
      invalid: ["Dieser Link ist ungültig", "Öffnen Sie den Workspace noch einmal aus dem Panel."],
      expired: ["Dieser Link ist abgelaufen", "Ein Link gilt eine Minute lang. Öffnen Sie den Workspace noch einmal aus dem Panel."],
      used: ["Dieser Link wurde schon verwendet", "Ein Link gilt einmal. Öffnen Sie den Workspace noch einmal aus dem Panel."],
      other_workspace: ["Dieser Link gehört zu einem anderen Workspace", "Gehen Sie zum Panel, und öffnen Sie diesen Workspace von dort."],
    },
    settingUp: settingUpWords.de,
    openFromPanel: "Öffnen Sie diesen Workspace aus seinem Panel, um sich anzumelden.",
    toPanel: "Zum Panel",
  },
};
