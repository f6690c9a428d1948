import type { Translated } from "../../words/spoken.ts";
import type { closingWords } from "./words.ts";

export const germanClosingWords = {
  closing: {
    page: "Konto schließen",
    title: "Ihr Konto schließen",
    lead: "Was wann gelöscht wird, und was bleibt",
    blocked: {
      title: "Das muss zuerst geklärt sein",
      suspension: "Das Konto ist gesperrt. Nur der Support kann es jetzt schließen.",
      subscription: "Ihr Abo ist nicht zu Ende. Kündigen Sie es: Es endet dann mit dem bezahlten Zeitraum.",
      subscriptionUntil: "Ihr Abo ist gekündigt und läuft bis {{day}}. Danach können Sie das Konto schließen.",
      checkout: "Eine Zahlungsseite ist bis {{day}} offen. Zahlen Sie dort, oder warten Sie, bis sie abgelaufen ist.",
      checkoutOver: "Ob Sie auf einer Zahlungsseite gezahlt haben, wissen wir noch nicht. Das wird automatisch geprüft.",
      invoice: "Eine Rechnung ist noch nicht bezahlt.",
      dispute: "Eine Zahlung ist bei Ihrer Bank strittig. Schreiben Sie dem Support.",
      refund: "Eine Erstattung wartet auf uns. Schreiben Sie dem Support.",
      billing: "Zur Abrechnung",
    },
    now: {
      title: "Sofort",
      workspace: "Ihr Workspace stoppt und wird nach einem letzten Backup gelöscht",
      people: "Alle Personen verlieren den Zugang zum Workspace, Einladungen enden",
      sessions: "Alle anderen Geräte werden abgemeldet",
    },
    until: {
      title: "{{days}} Tage lang",
      reopen: "Sie können sich anmelden und das Konto wieder öffnen. Ein Workspace, der lief, kommt aus dem letzten Backup zurück",
      data: "Sie können Backups und Rechnungen herunterladen",
    },
    later: {
      title: "Nach {{days}} Tagen",
      data: "Das Konto lässt sich nicht mehr öffnen und wird gelöscht: Backups, Exporte, Personen, Antworten, Adressen und Verlauf",
      documents: "Rechnungen mit der Adresse darauf und Zahlungen werden so lange aufbewahrt, wie das Steuerrecht es verlangt",
      name: "Der Kontoname wird nicht neu vergeben",
    },
    action: "Konto schließen",
    dialogTitle: "Das Konto schließen?",
    dialogLead: "Der Workspace von {{name}} wird jetzt gelöscht. Sie können das Konto {{days}} Tage lang wieder öffnen.",
    typeName: "Geben Sie zur Bestätigung {{name}} ein",
    closing: "Wird geschlossen …",
    failed: "Das Konto konnte nicht geschlossen werden",
    notLoaded: "Was im Weg steht, konnte nicht geladen werden",
    closed: {
      title: "Ihr Konto ist geschlossen",
      lead: "Unter der Adresse Ihres Workspace antwortet nichts mehr.",
      when: "Geschlossen am {{since}}",
      until:
        "Sie können das Konto bis {{day}} behalten. Danach wird es endgültig gelöscht. Rechnungen mit der Adresse darauf und Zahlungen werden so lange aufbewahrt, wie das Steuerrecht es verlangt.",
      over: "Es lässt sich nicht mehr öffnen und wird gelöscht. Rechnungen mit der Adresse darauf und Zahlungen werden so lange aufbewahrt, wie das Steuerrecht es verlangt.",
      reason: "Grund",
      keep: "Konto behalten",
      keeping: "Wird geöffnet …",
      keepText: "Lief Ihr Workspace vorher und ist Ihr Tarif nicht abgelaufen, kommt er aus dem letzten Backup zurück.",
      suspended: "Das Konto ist außerdem gesperrt: Nur der Support kann es wieder öffnen.",
      keepFailed: "Das Konto konnte nicht wieder geöffnet werden",
      kept: "Ihr Konto ist wieder offen.",
      take: "Ihre Daten mitnehmen",
      backups: "Backups herunterladen",
      invoices: "Rechnungen herunterladen",
    },
  },
} satisfies Translated<{ closing: typeof closingWords }>;
