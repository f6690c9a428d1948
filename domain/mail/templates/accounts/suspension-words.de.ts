/** The mails about a suspended account, in German. */
import type { SuspensionWords } from "./suspension-words.ts";

export const germanSuspensionWords: SuspensionWords = {
  suspended: {
    subject: "Ihr Konto wurde gesperrt",
    preview: "Ihr Workspace ist gestoppt. Ihre Daten bleiben erhalten.",
    heading: "Ihr Konto wurde gesperrt",
    what: (account) =>
      `Wir haben das Konto ${account} gesperrt. Sein Workspace ist gestoppt, und unter seiner Adresse antwortet nichts mehr.`,
    reason: (reason) => `Der Grund: ${reason}`,
    until: (day) => `Die Sperre endet am ${day}. Danach startet Ihr Workspace wieder, mit allem, was er hatte.`,
    openEnd: "Die Sperre gilt, bis wir sie aufheben. Danach startet Ihr Workspace wieder, mit allem, was er hatte.",
    kept: "Ihre Daten bleiben erhalten. Sie können sich weiterhin anmelden, Backups herunterladen und Rechnungen lesen. Eine Zahlung hebt die Sperre nicht auf; ein Abo läuft weiter, bis Sie es kündigen.",
    write: (address) => `Sie halten das für einen Irrtum, oder der Grund besteht nicht mehr? Schreiben Sie an ${address}.`,
    button: "Panel öffnen",
  },
  resumed: {
    subject: "Ihr Konto ist nicht mehr gesperrt",
    preview: "Ihr Workspace ist wieder, was er vorher war.",
    heading: "Ihr Konto ist nicht mehr gesperrt",
    what: (account) =>
      `Die Sperre des Kontos ${account} ist beendet. Ein Workspace, der vorher lief, startet jetzt, mit allem, was er hatte.`,
    button: "Panel öffnen",
  },
};
