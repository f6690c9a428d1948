import { trialDays } from "#contract/billing/plans/plan-days.ts";
import type { Translated } from "../../../words/spoken.ts";
import type { registrationWords } from "./words.ts";

export default {
  register: {
    page: "Konto erstellen",
    title: "Konto erstellen",
    lead: `Etwa zwei Minuten. ${trialDays} Tage kostenlos, ohne Kreditkarte.`,
    fullName: "Vollständiger Name",
    accountName: "Kontoname",
    address: "Adresse Ihres Workspace: {{address}}",
    addressPlaceholder: "ihr-name",
    passwordLength: "8 bis 64 Zeichen",
    email: "E-Mail-Adresse",
    emailConfirmation: "E-Mail-Adresse bestätigen",
    password: "Passwort",
    submit: "Konto erstellen",
    pending: "Konto wird erstellt …",
    agree: "Mit dem Erstellen eines Kontos akzeptieren Sie:",
    and: "und",
    termsLink: "Nutzungsbedingungen",
    privacyLink: "Datenschutzerklärung",
    technical: "Es gibt technische Schwierigkeiten",
    accountFailed: "Beim Einrichten Ihres Kontos ist ein Fehler aufgetreten",
    trialFailed: "Beim Einrichten Ihrer Testphase ist ein Fehler aufgetreten",
  },
  nameCheck: {
    checking: "Verfügbarkeit wird geprüft …",
    free: "Verfügbar",
    taken: "Vergeben",
    instead: "Stattdessen {{name}} verwenden",
  },
  verify: {
    page: "E-Mail-Adresse bestätigen",
    title: "Sehen Sie in Ihr Postfach",
    lead: "Wir haben einen Bestätigungslink gesendet an",
    next: "Öffnen Sie den Link innerhalb von 24 Stunden, auf jedem Gerät.",
    goesOn: "Wir warten auf Ihre Bestätigung. Diese Seite geht dann automatisch weiter.",
    changeAddress: "Adresse ändern",
    resend: "E-Mail erneut senden",
    resending: "Wird gesendet …",
    resendIn: "Erneut senden {{when}}",
    resent: "Wir haben eine neue E-Mail an {{email}} gesendet.",
    notResent: "Die Bestätigung konnte nicht erneut gesendet werden",
    resendFailed: "Die Bestätigungs-E-Mail konnte nicht gesendet werden. Bitte prüfen Sie die E-Mail-Adresse.",
    inbox: "Entwicklungs-Postfach öffnen",
    openMailbox: "{{provider}} öffnen",
    tips: "Keine E-Mail? Sehen Sie im Spam-Ordner nach, und prüfen Sie die Adresse auf Tippfehler.",
    confirmed: "Ihre E-Mail-Adresse ist bestätigt.",
  },
  proof: {
    password: "Passwort des Kontos",
    submit: "Bestätigen",
    pending: "Wird bestätigt …",
    newPassword: "Neues Passwort wählen",
  },
  confirm: {
    page: "E-Mail-Adresse bestätigen",
    title: "Ihre E-Mail-Adresse ist bestätigt",
    already: "Diese Adresse ist bereits bestätigt.",
    elsewhere:
      "Kehren Sie zu dem Fenster zurück, in dem Sie sich registriert haben: Es geht dort automatisch weiter. Oder melden Sie sich hier an.",
    proofTitle: "Bestätigen Sie Ihre E-Mail-Adresse",
    proofLead:
      "In diesem Browser sind Sie nicht bei diesem Konto angemeldet. Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben, oder öffnen Sie den Link auf dem Gerät, auf dem Sie sich registriert haben.",
    proofOtherwise:
      "Passwort vergessen, oder haben nicht Sie dieses Konto erstellt? Mit einem neuen Passwort haben nur noch Sie Zugang, und alle anderen Sitzungen werden abgemeldet.",
    continue: "Weiter",
    logIn: "Anmelden und fortfahren",
    failed: "Die E-Mail-Adresse konnte nicht bestätigt werden",
    logInToResend: "Anmelden, um einen neuen Link zu senden",
  },
} satisfies Translated<typeof registrationWords>;
