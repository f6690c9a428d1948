import type { Translated } from "../../../words/spoken.ts";
import type { updateWords } from "./words.ts";

export default {
  updates: {
    title: "Letztes Update",
    failed: "Das letzte Update konnte nicht geladen werden",
    states: {
      running: "Von {{from}} auf {{to}}, läuft gerade.",
      successful: "Von {{from}} auf {{to}}, am {{time}}.",
      rolledBack: "Das Update von {{from}} auf {{to}} wurde am {{time}} zurückgesetzt. Alles ist wie zuvor.",
      failed: "Das Update von {{from}} auf {{to}} wurde nicht installiert.",
      wayBack: "Von {{from}} auf {{to}} zurückgesetzt, am {{time}}.",
    },
    asked: {
      owner: "Von Ihnen angefordert.",
      window: "Automatisch in Ihrem Wartungsfenster installiert.",
      operator: "Vom Dienst angefordert.",
    },
    rollBack: "Auf {{to}} zurücksetzen …",
    rollBackUntil: "Sie können bis {{day}} auf {{to}} zurücksetzen.",
    dialogTitle: "Auf {{to}} zurücksetzen?",
    dialogLead:
      "Workflows, Zugangsdaten, Ausführungen und Einstellungen kehren zum Stand vor dem Update am {{time}} zurück. Spätere Änderungen werden aus dem Workspace entfernt und als Backup auf der Seite „Backups“ aufbewahrt. Der Workspace ist etwa eine Minute nicht erreichbar.",
    typeName: "Geben Sie zur Bestätigung {{name}} ein",
    confirm: "Zurücksetzen",
    going: "Wird zurückgesetzt …",
    refused: "Der Workspace wurde nicht geändert",
    asking: "Wird zurückgesetzt. Oben können Sie den Fortschritt verfolgen.",
  },
} satisfies Translated<{ updates: typeof updateWords }>;
