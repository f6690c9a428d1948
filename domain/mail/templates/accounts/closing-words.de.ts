/** The mails about a closed account, in German. */
import type { ClosingWords } from "./closing-words.ts";

export const germanClosingWords: ClosingWords = {
  closed: {
    subject: "Ihr Konto wurde geschlossen",
    preview: (day) => `Sie können es bis zum ${day} wieder öffnen.`,
    heading: "Ihr Konto wurde geschlossen",
    byOwner: (account) => `Sie haben das Konto ${account} geschlossen. Sein Workspace wird nach einem letzten Backup gelöscht.`,
    byOperator: (account) => `Wir haben das Konto ${account} geschlossen. Sein Workspace wird nach einem letzten Backup gelöscht.`,
    reason: (reason) => `Der Grund: ${reason}`,
    until: (day) =>
      `Bis zum ${day} können Sie sich anmelden und das Konto wieder öffnen. Lief Ihr Workspace vorher und ist Ihr Tarif nicht abgelaufen, kommt er dann aus dem letzten Backup zurück. Bis dahin können Sie auch Backups und Rechnungen herunterladen.`,
    later:
      "Nach diesem Tag lässt sich das Konto nicht mehr öffnen und wird gelöscht: seine Backups, Exporte, Personen, Antworten, Adressen und sein Verlauf. Rechnungen mit der Adresse darauf und Zahlungen bewahren wir so lange auf, wie das Steuerrecht es verlangt. Der Kontoname wird nicht neu vergeben.",
    button: "Panel öffnen",
  },
  erasing: {
    subject: "Ihr Konto wird gelöscht",
    preview: "Dies ist die letzte E-Mail dazu.",
    heading: "Ihr Konto wird gelöscht",
    what: (account) =>
      `Das Konto ${account} wurde geschlossen und lässt sich nicht mehr öffnen. Wir löschen jetzt seinen Workspace, seine Backups, Exporte, Personen, Antworten, Adressen und seinen Verlauf.`,
    kept: "Rechnungen mit der Adresse darauf und Zahlungen bewahren wir so lange auf, wie das Steuerrecht es verlangt. Der Kontoname wird nicht neu vergeben.",
    questions: (address) => `Dies ist die letzte E-Mail zu diesem Konto. Bei Fragen schreiben Sie an ${address}.`,
  },
  reopened: {
    subject: "Ihr Konto wurde wieder geöffnet",
    preview: "Lief Ihr Workspace vorher, kommt er aus dem letzten Backup zurück.",
    heading: "Ihr Konto wurde wieder geöffnet",
    what: (account) =>
      `Das Konto ${account} wurde wieder geöffnet. Lief sein Workspace vorher und ist der Tarif nicht abgelaufen, startet er jetzt aus seinem letzten Backup. Laden Sie Ihr Team bitte neu ein.`,
    button: "Panel öffnen",
  },
};
