import type { ErrorWords, signInErrors } from "./sign-in-errors.ts";

export default {
  signInErrors: {
    validation_failed: { sentence: "Einige Felder sind ungültig.", next: "Prüfen Sie die markierten Felder und versuchen Sie es erneut." },
    invalid_credentials: {
      sentence: "Diese Kombination ist ungültig. Versuchen Sie es erneut.",
      next: "Prüfen Sie den Kontonamen oder die E-Mail-Adresse und das Passwort.",
    },
    login_code_invalid: {
      sentence: "Die Anmeldung mit dem Anmeldecode ist fehlgeschlagen",
      next: "Melden Sie sich mit Ihrem Passwort an, oder fordern Sie einen neuen Link an. Wenn das nicht hilft, wenden Sie sich an den Support.",
    },
    publisher_account: {
      sentence: "Dieses Konto veröffentlicht nur Workflows.",
      next: "Für einen Workspace erstellen Sie ein neues Konto.",
    },
    too_many_sign_ins: {
      sentence: "Zu viele fehlgeschlagene Anmeldeversuche.",
      next: "Warten Sie eine Weile, oder fordern Sie einen Anmeldelink per E-Mail an.",
    },
    session_expired: { sentence: "Sitzung abgelaufen", next: "Melden Sie sich erneut an." },
    signed_out: { sentence: "Sie sind nicht angemeldet.", next: "Melden Sie sich an, um fortzufahren." },
    cross_origin: {
      sentence: "Diese Anfrage kam von einer anderen Website und wurde abgelehnt.",
      next: "Öffnen Sie das Panel in einem eigenen Tab und versuchen Sie es erneut.",
    },
    not_found: { sentence: "Diese Seite wurde nicht gefunden", next: "Gehen Sie zur Startseite." },
    bad_request: { sentence: "Die Anfrage konnte nicht gelesen werden.", next: "Laden Sie die Seite neu und versuchen Sie es erneut." },
    body_too_large: { sentence: "Die Anfrage ist zu groß.", next: "Kürzen Sie Ihre Eingaben und versuchen Sie es erneut." },
    body_too_slow: {
      sentence: "Die Anfrage kam zu langsam an.",
      next: "Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
    },
    unsupported_media_type: {
      sentence: "Die Anfrage konnte nicht gelesen werden.",
      next: "Laden Sie die Seite neu und versuchen Sie es erneut.",
    },
    too_many_requests: { sentence: "Zu viele Versuche.", next: "Warten Sie einen Moment und versuchen Sie es erneut." },
    internal_error: {
      sentence: "Bei uns ist etwas schiefgelaufen.",
      next: "Versuchen Sie es gleich noch einmal. Wenn das nicht hilft, nennen Sie dem Support die Anfragenummer.",
    },
    still_in_progress: {
      sentence: "Das dauert länger als üblich und läuft noch.",
      next: "Warten Sie einen Moment und laden Sie die Seite neu, um zu sehen, ob es fertig ist.",
    },
    unavailable: { sentence: "Der Dienst ist ausgelastet.", next: "Versuchen Sie es gleich noch einmal." },
    unreachable: {
      sentence: "Der Dienst ist nicht erreichbar.",
      next: "Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
    },
    timed_out: {
      sentence: "Der Dienst hat nicht rechtzeitig geantwortet.",
      next: "Ihre Änderung wurde vielleicht gespeichert. Prüfen Sie das, bevor Sie es erneut versuchen.",
    },
    unreadable: {
      sentence: "Der Dienst hat eine unerwartete Antwort gesendet.",
      next: "Laden Sie die Seite neu und versuchen Sie es erneut.",
    },
  },
} satisfies { signInErrors: Record<keyof typeof signInErrors, ErrorWords> };
