import type { Translated } from "../../words/spoken.ts";
import type { notificationWords } from "./words.ts";

export default {
  notifications: {
    page: "Benachrichtigungen",
    title: "Benachrichtigungen",
    lead: "Die E-Mails, die wir an {{email}} senden. Änderungen gelten sofort.",
    off: "E-Mails „{{name}}“ sind abgeschaltet.",
    on: "E-Mails „{{name}}“ sind eingeschaltet.",
    failed: "Ihre Auswahl konnte nicht gespeichert werden",
    always: "Immer gesendet",
    subjects: {
      workspace: {
        title: "Ihr Workspace",
        lead: "Schalten Sie ab, was Sie nicht lesen möchten. Stillstehende Workflows, Zugangsdaten und Löschungen melden wir immer.",
      },
      billing: {
        title: "Tarif und Zahlungen",
        lead: "Immer gesendet, denn es geht um Ihr Geld und um Termine, die Sie nicht verpassen sollten.",
      },
      security: {
        title: "Anmeldung und Sicherheit",
        lead: "Immer gesendet, denn Sie brauchen sie, um sich anzumelden und um fremde Versuche zu bemerken.",
      },
    },
    mails: {
      usage: { label: "Warnungen zur Nutzung", hint: "Wenn 80 % der Ausführungen Ihres Tarifs verbraucht sind." },
      updates: { label: "Installierte Updates", hint: "Wenn Ihr Workspace eine neue Version verwendet." },
      exports: { label: "Fertige Exporte", hint: "Wenn ein Export ohne Zugangsdaten bereit ist." },
      stopped: {
        label: "Verbrauchte Ausführungen",
        hint: "Wenn alle Ausführungen Ihres Tarifs verbraucht sind und Workflows stillstehen.",
      },
      failedUpdates: {
        label: "Fehlgeschlagene Updates",
        hint: "Wenn ein Update fehlschlug oder zurückgenommen wurde, oder Ihr Workspace wieder die frühere Version verwendet.",
      },
      credentials: { label: "Exporte mit Zugangsdaten", hint: "Wenn ein Export bereit ist, der Zugangsdaten enthält." },
      deletion: { label: "Löschungen", hint: "Drei Tage bevor ein Workspace ohne Tarif gelöscht wird, und bei jeder Löschung." },
      receipts: { label: "Quittungen", hint: "Nach jeder Zahlung, mit der Rechnung." },
      payments: {
        label: "Probleme mit Zahlungen",
        hint: "Wenn eine Zahlung fehlschlägt, bestätigt werden muss oder doppelt war, und wenn eine fehlgeschlagene doch gelingt.",
      },
      cards: { label: "Ablaufende Karten", hint: "Im Monat, bevor die Karte abläuft, mit der Sie zahlen." },
      plan: { label: "Tarifwechsel", hint: "Wenn Testphase oder Tarif beginnt, wechselt, gekündigt wird oder weiterläuft." },
      end: { label: "Ende von Testphase oder Tarif", hint: "Einige Tage vor dem Ende, und wenn es erreicht ist." },
      links: { label: "Angeforderte Links", hint: "Zum Anmelden, zum Wählen eines Passworts oder zum Bestätigen Ihrer Adresse." },
      access: {
        label: "Änderungen Ihrer Anmeldung",
        hint: "Wenn Passwort oder Adresse geändert wurde, oder jemand sie ändern oder neu registrieren will.",
      },
    },
  },
} satisfies Translated<{ notifications: typeof notificationWords }>;
