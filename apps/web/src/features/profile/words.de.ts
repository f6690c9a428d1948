import type { Translated } from "../../words/spoken.ts";
import type { profileWords } from "./words.ts";

export default {
  own: {
    nav: { label: "Konto", profile: "Profil", notifications: "Benachrichtigungen", security: "Anmeldung und Sicherheit" },
    profile: {
      page: "Profil",
      title: "Profil",
      lead: "Ihr Name, und wie das Panel für Sie aussieht",
      name: "Vollständiger Name",
      nameHint: "Auch Mitglieder Ihres Workspace sehen ihn.",
      language: "Sprache",
      languageBrowser: "Wie im Browser",
      languageHint: "E-Mails und Rechnungen folgen der gewählten Sprache, ohne Wahl sind sie auf Englisch.",
      timezone: "Zeitzone der Anzeige",
      timezoneBrowser: "Wie im Browser",
      timezoneHint: "Für Daten und Uhrzeiten im Panel. Zeitpläne in Ihrem Workspace verwenden dessen eigene Zeitzone.",
      timezoneSearch: "Nach Stadt oder Region suchen",
      timezoneNone: "Keine Zeitzone passt. Versuchen Sie eine größere Stadt in der Nähe.",
      save: "Profil speichern",
      saving: "Wird gespeichert …",
      saved: "Profil gespeichert.",
      failed: "Das Profil konnte nicht gespeichert werden",
      conflict: "Ihr Profil hat sich geändert",
      conflictLead: "Es wurde in einem anderen Tab oder auf einem anderen Gerät geändert. Aktuelle Werte:",
      current: "{{field}}: {{value}}",
      keepMine: "Meine Änderungen behalten",
      takeTheirs: "Aktuelle Werte übernehmen",
    },
    notifications: {
      page: "Benachrichtigungen",
      title: "Benachrichtigungen",
      lead: "Die E-Mails, die wir an {{email}} senden",
      optional: "Optionale E-Mails",
      optionalLead: "Schalten Sie ab, was Sie nicht lesen möchten.",
      mails: {
        usage: { label: "Warnungen zur Nutzung", hint: "Wenn 80 % der Ausführungen Ihres Tarifs verbraucht sind." },
        updates: {
          label: "Installierte Updates",
          hint: "Wenn Ihr Workspace eine neue Version verwendet. Fehlgeschlagene und zurückgenommene Updates melden wir immer.",
        },
        exports: { label: "Fertige Exporte", hint: "Wenn ein Export bereit ist. Exporte mit Zugangsdaten melden wir immer." },
      },
      off: "E-Mails „{{name}}“ sind abgeschaltet.",
      on: "E-Mails „{{name}}“ sind eingeschaltet.",
      failed: "Ihre Auswahl konnte nicht gespeichert werden",
      always: "Immer gesendet",
      alwaysLead: "Hier geht es um Ihr Geld, Ihren Zugang oder Ihre Daten.",
      alwaysList: {
        security: "Anmeldelinks, Änderungen von Passwort oder Adresse und Exporte mit Zugangsdaten",
        billing: "Quittungen, fehlgeschlagene Zahlungen und Tarifwechsel",
        end: "Das Ende von Testphase oder Abo, und jede Löschung, bevor sie geschieht",
        stopped: "Verbrauchte Ausführungen, fehlgeschlagene und zurückgenommene Updates",
      },
    },
  },
} satisfies Translated<{ own: typeof profileWords }>;
