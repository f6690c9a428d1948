import type { Translated } from "../../words/spoken.ts";
import type { returningWords, runningWords } from "./words.ts";

export default {
  returning: {
    title: "Ihr Workspace kann zurückkommen",
    restored:
      "Sein letztes Backup vom {{made}} wird bis zum {{until}} aufbewahrt. Mit einem Tarif wird daraus alles wiederhergestellt: Workflows, Zugangsdaten und Ausführungen, unter derselben Adresse.",
    emptyTitle: "Sie beginnen mit einem leeren Workspace",
    empty:
      "Es gibt kein Backup, aus dem Ihr letzter Workspace wiederhergestellt werden kann. Ihr Tarif startet einen neuen, leeren unter derselben Adresse.",
    deletingTitle: "Ihr Workspace wird gelöscht",
    deleting:
      "Vorher wird ein letztes Backup erstellt und geprüft. Mit einem Tarif bleibt Ihr Workspace, oder er kommt aus diesem Backup zurück.",
    name: "Workspace",
    restoredRow: "Wiederhergestellt aus seinem letzten Backup vom {{made}}",
    emptyRow: "Ein neuer, leerer",
  } satisfies Translated<typeof returningWords>,
  running: {
    restarts:
      "Bringt der Tarif mehr Arbeitsspeicher, Aufbewahrung oder Funktionen, startet Ihr Workspace nach der Zahlung einmal neu. Er ist etwa eine Minute nicht erreichbar; eingehende Webhooks warten.",
  } satisfies Translated<typeof runningWords>,
};
