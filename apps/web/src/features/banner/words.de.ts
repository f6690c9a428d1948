import type { Translated } from "../../words/spoken.ts";
import type { bannerWords } from "./words.ts";

export const bannerGerman = {
  label: "Hinweise",
  sessionExpired: { title: "Sitzung abgelaufen", text: "Melden Sie sich erneut an, um dort weiterzumachen, wo Sie aufgehört haben." },
  suspended: {
    title: "Ihr Konto ist gesperrt",
    text: "Seine Daten bleiben erhalten. Starten können Sie nichts.",
    action: "Grund anzeigen",
  },
  technicalIssues: {
    title: "Es gibt technische Probleme",
    text: "Workspaces können gerade nicht eingerichtet, neu gestartet oder geändert werden. Laufende Workspaces laufen weiter. Dieser Hinweis verschwindet, sobald die Probleme behoben sind.",
  },
  pastDue: {
    title: "Ihre letzte Zahlung ist fehlgeschlagen",
    text: "Ihr Workspace läuft vorerst weiter. Aktualisieren Sie Ihre Zahlungsart, um eine Unterbrechung zu vermeiden.",
    action: "Zur Abrechnung",
  },
  pauseRequested: {
    title: "Ihr Abo ist pausiert",
    text: "Es wurde auf Wunsch pausiert, deshalb ist Ihr Workspace gestoppt. Seine Daten bleiben erhalten, bis es weitergeht.",
    action: "Zur Abrechnung",
  },
  paused: {
    title: "Ihr Abo ist pausiert",
    text: "Mehrere Zahlungen sind fehlgeschlagen, deshalb ist Ihr Workspace gestoppt. Seine Daten bleiben erhalten. Setzen Sie das Abo fort, um ihn wieder zu starten.",
    action: "Zur Abrechnung",
  },
} satisfies Translated<typeof bannerWords>;

export default { banner: bannerGerman };
