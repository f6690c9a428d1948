import type { signInFieldWords } from "#contract/api/sign-in-field-words.ts";
import type { Translated } from "../../words/spoken.ts";
import type { codeWords, loginWords } from "./words.ts";

export default {
  login: {
    page: "Anmelden",
    title: "Willkommen zurück",
    login: "Kontoname oder E-Mail-Adresse",
    password: "Passwort",
    submit: "Anmelden",
    pending: "Anmeldung läuft …",
    noAccount: "Neu bei Slipway?",
    register: "Konto erstellen",
    forgot: "Passwort vergessen?",
    or: "oder",
    magicLink: "Anmeldelink per E-Mail erhalten",
    technical: "Die Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es erneut.",
    strange: "Etwas ist schiefgelaufen …",
    publisherAction: "Neues Konto erstellen",
  },
  code: { failed: "Die Anmeldung mit dem Anmeldecode ist fehlgeschlagen" },
  signInFields: {
    "password.required": "Geben Sie ein Passwort ein.",
    "password.length": "Das Passwort muss 8 bis 64 Zeichen lang sein.",
    "login.required": "Geben Sie Ihren Kontonamen oder Ihre E-Mail-Adresse ein.",
    "token.required": "Der Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.",
    "value.invalid": "Dieser Wert ist ungültig.",
  },
} satisfies Translated<{ login: typeof loginWords; code: typeof codeWords; signInFields: typeof signInFieldWords }>;
