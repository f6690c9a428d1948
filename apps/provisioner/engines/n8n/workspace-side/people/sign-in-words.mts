/** The words of the pages about signing in, in each language. */
import type { Language } from "../../../workspace-side/reader-language.mts";
import { settingUpWords } from "../../../workspace-side/page.mts";
import type { TokenRefusal } from "../../../workspace-side/token-check.mts";

interface SignInWords {
  refusals: Record<TokenRefusal, readonly [heading: string, sentence: string]>;
  startedSince: string;
  settingUp: readonly [heading: string, sentence: string];
  continue: string;
  signIn: (accountName: string) => string;
  whoSignsIn: string;
  withPassword: string;
  forgotPassword: string;
}

export const signInWords: Record<Language, SignInWords> = {
  en: {
    refusals: {
      invalid: [
        "This sign-in link is not valid",
        "It may have been cut off when it was copied. Go back to the panel and open your workspace from there.",
      ],
      expired: ["This sign-in link has expired", "A link works for one minute. Go back to the panel and open your workspace again."],
      used: ["This sign-in link has already been used", "Each link works once. Go back to the panel and open your workspace again."],
      other_workspace: ["This sign-in link belongs to another workspace", "Go back to the panel and open this workspace from there."],
    },
    startedSince: "The workspace has restarted since the link was created. Continue with Slipway to sign in.",
    settingUp: settingUpWords.en,
    continue: "Continue with Slipway",
    signIn: (accountName) => `Sign in to ${accountName}`,
    whoSignsIn:
      "The owner of this workspace signs in through Slipway. Members sign in with the email address and password they chose when they joined.",
    withPassword: "Sign in with email and password",
    forgotPassword: "Forgot your password?",
  },
  de: {
    refusals: {
      invalid: [
        "Dieser Anmeldelink ist ungültig",
        "Er wurde vielleicht beim Kopieren abgeschnitten. Gehen Sie zurück zum Panel, und öffnen Sie Ihren Workspace von dort.",
      ],
      expired: [
        "Dieser Anmeldelink ist abgelaufen",
        "Ein Link gilt eine Minute lang. Gehen Sie zurück zum Panel, und öffnen Sie Ihren Workspace noch einmal.",
      ],
      used: [
        "Dieser Anmeldelink wurde schon verwendet",
        "Jeder Link gilt einmal. Gehen Sie zurück zum Panel, und öffnen Sie Ihren Workspace noch einmal.",
      ],
      other_workspace: [
        "Dieser Anmeldelink gehört zu einem anderen Workspace",
        "Gehen Sie zurück zum Panel, und öffnen Sie diesen Workspace von dort.",
      ],
    },
    startedSince: "Der Workspace ist erst nach der Erstellung des Links gestartet. Es geht über Slipway weiter.",
    settingUp: settingUpWords.de,
    continue: "Weiter über Slipway",
    signIn: (accountName) => `Bei ${accountName} anmelden`,
    whoSignsIn:
      "Der Inhaber dieses Workspace meldet sich über Slipway an. Mitglieder melden sich mit der E-Mail-Adresse und dem Passwort an, die sie beim Beitreten gewählt haben.",
    withPassword: "Mit E-Mail-Adresse und Passwort anmelden",
    forgotPassword: "Passwort vergessen?",
  },
};
