import { trialDays } from "#contract/billing/plans/plan-days.ts";
import type { Translated } from "../../words/spoken.ts";
import { bannerGerman } from "../banner/words.de.ts";
import type { helpWords } from "./words.ts";

export default {
  help: {
    page: "Hilfe",
    title: "Hilfe",
    lead: "Antworten auf häufige Fragen",
    search: "Antworten durchsuchen",
    searchExample: "Backup wiederherstellen, Rechnungen, Passwort …",
    searchHint: "Mit / suchen Sie, mit den Pfeiltasten blättern Sie durch die Antworten.",
    found_one: "{{count}} Antwort gefunden",
    found_other: "{{count}} Antworten gefunden",
    closest_one: "Nichts enthält alle diese Wörter. Die nächstliegende Antwort:",
    closest_other: "Nichts enthält alle diese Wörter. Die {{count}} nächstliegenden Antworten:",
    none: "Keine Ergebnisse für „{{query}}“",
    noneText: "Versuchen Sie es mit weniger oder anderen Wörtern, oder schreiben Sie uns.",
    clear: "Suche leeren",
    subjects: "Themen",
    open: "{{place}} öffnen",
    link: "Link zu dieser Antwort",
    linkFor: "Link zur Antwort auf: {{question}}",
    support: "Noch Fragen? Schreiben Sie uns",
    supportText: "Nennen Sie Ihren Kontonamen, was Sie getan haben und die Anfragenummer, falls Sie eine gesehen haben.",
    supportSubject: "Hilfe zu {{name}}",
    now: {
      label: "Zu Ihrem Konto",
      signedOut: {
        title: "Neu hier?",
        text: `Erstellen Sie ein Konto, und starten Sie in wenigen Minuten Ihren eigenen Workspace. ${trialDays} Tage kostenlos testen. Ohne Kreditkarte.`,
        action: "Konto erstellen",
      },
      onTheWay: { title: "Ihr Workspace ist noch nicht gestartet", text: "Machen Sie dort weiter, wo Sie aufgehört haben." },
      operationsOff: {
        title: "Workspaces können gerade nicht geändert werden",
        text: "Es gibt technische Probleme. Laufende Workspaces laufen weiter. Sobald die Probleme behoben sind, können Sie Workspaces wieder einrichten und neu starten.",
      },
      pastDue: bannerGerman.pastDue,
      paused: {
        title: "Ihr Abo ist pausiert",
        text: "Ihr Workspace ist gestoppt, weil Zahlungen fehlgeschlagen sind. Seine Daten bleiben erhalten.",
        action: "Zur Abrechnung",
      },
      offline: {
        title: "Ihr Workspace ist offline",
        text: "Er antwortet nicht. Wir starten ihn automatisch neu, und die letzten Ereignisse zeigen, was passiert ist. Bleibt er offline, starten Sie ihn neu, und schreiben Sie uns dann.",
        action: "Letzte Ereignisse ansehen",
      },
      pending: {
        title: "Eine Änderung an Ihrem Workspace wird übernommen",
        text: "Er ist gleich wieder da. Sie können jeden Schritt verfolgen.",
        action: "Fortschritt ansehen",
      },
      stopped: { title: "Ihr Workspace ist gestoppt", text: "Seine Daten bleiben erhalten.", action: "Grund ansehen" },
      online: { title: "Ihr Workspace ist online", text: "Alles läuft.", action: "Workspace verwalten" },
    },
  },
} satisfies Translated<{ help: typeof helpWords }>;
