import type { Translated } from "../../../words/spoken.ts";
import type { dangerWords } from "./words.ts";

export default {
  danger: {
    pageLead: "Was sich nicht rückgängig machen lässt",
    title: "Diesen Workspace löschen",
    delete: "Workspace löschen",
    text: "Der Workspace stoppt sofort. Ein letztes Backup wird {{backupDays}} Tage aufbewahrt: Sie können es herunterladen oder in einem neuen Workspace wiederherstellen.",
    removed: "Wird entfernt",
    workflows: "Workflows und ihre Ausführungen",
    credentials: "Zugangsdaten und installierte Nodes",
    access: "Alle Zugänge zum Workspace",
    kept: "Bleibt erhalten",
    backup: "Ein letztes Backup, {{backupDays}} Tage lang",
    variables: "Umgebungsvariablen",
    account: "Ihr Konto und Ihr Abo",
    dialogTitle: "Den Workspace löschen?",
    dialogLead:
      "Workflows, Ausführungen und Zugangsdaten von {{name}} werden entfernt. Ein letztes Backup wird {{backupDays}} Tage aufbewahrt: Sie können es herunterladen oder in einem neuen Workspace wiederherstellen. Danach lässt sich nichts mehr wiederherstellen.",
    export: "Zuerst Workflows exportieren",
    typeName: "Geben Sie zur Bestätigung {{name}} ein",
    confirm: "Workspace löschen",
    deleting: "Wird gelöscht …",
    failed: "Der Workspace konnte nicht gelöscht werden",
    asked: "Der Workspace wird gelöscht. Wir haben Ihnen dazu eine E-Mail gesendet.",
  },
} satisfies Translated<{ danger: typeof dangerWords }>;
