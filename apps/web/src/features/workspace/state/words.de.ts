import type { Translated } from "../../../words/spoken.ts";
import type { asleepWords, backFromWords, offlineWords, stateHeadlines, workspaceStateWords } from "./words.ts";

export const stateGerman = {
  "setting-up": {
    badge: "Wird eingerichtet",
    text: "Ihr Workspace wird eingerichtet. Sie können diese Seite schließen. Der Start läuft weiter.",
  },
  starting: { badge: "Startet", text: "Ihr Workspace startet zum ersten Mal. Er ist gleich bereit." },
  ready: { badge: "Online", text: "Alles läuft." },
  trial: {
    left_one: "Alles läuft. Ihre Testphase endet in weniger als einem Tag. Wählen Sie einen Tarif, damit Ihr Workspace weiterläuft.",
    left_other: "Alles läuft. Noch {{count}} Tage Testphase.",
    over: "Ihre Testphase ist vorbei. Wählen Sie einen Tarif, damit der Workspace weiterläuft.",
  },
  expiring: {
    badge: "Läuft aus",
    text: "Alles läuft, bis Ihr bezahlter Zeitraum endet.",
    left_one: "Alles läuft. Ihr Tarif läuft in weniger als einem Tag aus.",
    left_other: "Alles läuft. Ihr Tarif läuft in {{count}} Tagen aus.",
    notice: "Ihr Abo endet am {{date}}",
    noticeText:
      "An diesem Tag stoppt der Workspace, und ein letztes Backup wird erstellt. Dann wird er mit seinen Workflows und Zugangsdaten gelöscht. Das letzte Backup wird {{backupDays}} Tage aufbewahrt: Setzen Sie das Abo in dieser Zeit fort, kommt alles zurück. Setzen Sie es jetzt fort, um den Workspace zu behalten.",
  },
  pending: { badge: "Wird geändert", text: "Änderungen werden übernommen. Das dauert einen Moment." },
  offline: { badge: "Offline", text: "Ihr Workspace antwortet nicht. Wir bringen ihn wieder online." },
  stopped: { badge: "Gestoppt", text: "Workspace gestoppt. Ihre Daten bleiben erhalten." },
  paused: {
    badge: "Pausiert",
    text: "Ihr Abo ist pausiert, deshalb ist der Workspace gestoppt. Ihre Daten bleiben erhalten.",
    requested: "Es wurde auf Wunsch pausiert. Nichts wird abgebucht oder gelöscht, bis es weitergeht.",
    notice: "Mehrere Zahlungen sind fehlgeschlagen. Setzen Sie das Abo fort, um den Workspace unverändert wieder zu starten.",
    deletion_one: "Sonst wird er in {{count}} Tag gelöscht.",
    deletion_other: "Sonst wird er in {{count}} Tagen gelöscht.",
  },
  "scheduled-for-deletion": {
    text: "Workspace gestoppt. Ihre Daten bleiben erhalten, bis der Workspace gelöscht wird.",
    notice:
      "Wählen Sie einen Tarif, um ihn unverändert wieder zu starten. Nach der Löschung wird ein letztes Backup {{backupDays}} Tage aufbewahrt.",
  },
  deleting: {
    badge: "Wird gelöscht",
    text: "Der Workspace und alles darin werden gelöscht.",
    backup: "Vorher wird ein letztes Backup erstellt und geprüft. Bis dahin wird nichts entfernt.",
  },
} satisfies Translated<typeof workspaceStateWords>;

export const asleepGerman = {
  badge: "Schläft",
  text: "Schläft, weil gerade nichts darin passiert. Die nächste Anfrage weckt ihn sofort.",
  waking: "Ihr Workspace hat geschlafen und wacht auf. Das dauert einige Sekunden.",
} satisfies Translated<typeof asleepWords>;

export const backFromGerman = {
  "out-of-memory": "Der Arbeitsspeicher reichte nicht, der Workspace startet neu.",
  "keeps-stopping": "Er hat unerwartet gestoppt und startet neu.",
  moving: "Er musste seinen Server verlassen und startet neu.",
  "not-answering": "Er hat nicht mehr geantwortet und startet neu.",
  "cannot-save": "Er konnte keine Daten speichern. Sein Speicherplatz wurde geprüft, und er startet neu.",
  "not-starting": "Der letzte Startversuch ist fehlgeschlagen. Wir versuchen es erneut.",
  "not-installed": "Die letzte Installation der Engine ist fehlgeschlagen. Wir versuchen es erneut.",
  other: "Bei uns ist etwas schiefgelaufen. Wir bringen ihn wieder online.",
} satisfies Translated<typeof backFromWords>;

export const offlineTitleGerman = "Workspace antwortet nicht";

export const offlineGerman = {
  "out-of-memory": {
    next: "Verarbeiten Sie in Ihren Workflows weniger Elemente auf einmal, oder wählen Sie einen größeren Tarif. Wir starten ihn automatisch neu. Der Absturzverlauf zeigt, wann es passiert ist.",
  },
  "keeps-stopping": {
    next: "Wir starten ihn automatisch neu, mit immer längeren Pausen. Seine Logs zeigen, was vor dem Stopp passiert ist.",
  },
  moving: { next: "Das ist eine Wartung auf unserer Seite. Sie müssen nichts tun." },
  "not-answering": {
    next: "Hält das an, starten wir ihn automatisch neu. Ein Workflow mit viel Rechenarbeit kann ihn am Antworten hindern.",
  },
  "cannot-save": {
    next: "Wir prüfen seinen Speicherplatz und starten ihn neu. Daten der letzten Minuten können fehlen: Prüfen Sie die letzten Ausführungen.",
  },
  "not-starting": {
    next: "Wir versuchen es automatisch erneut, mit immer längeren Pausen. Seine Logs zeigen, wie weit er gekommen ist. Wenn das nicht hilft, schreiben Sie uns.",
  },
  "not-installed": { next: "Das Problem liegt bei uns, und wir versuchen es automatisch erneut. Sie müssen nichts tun." },
  other: { next: "Wir arbeiten daran. Wenn das nicht hilft, starten Sie den Workspace neu, und schreiben Sie uns dann." },
} satisfies Translated<typeof offlineWords>;

export const headlinesGerman = {
  unconfirmed: "Bestätigen Sie Ihre E-Mail-Adresse, um fortzufahren",
  "half-way": "In wenigen Schritten zum Workspace",
  none: "Kein aktiver Workspace",
  ended: "Kein aktiver Workspace",
  "setting-up": "Ihr Workspace wird eingerichtet",
  starting: "Ihr Workspace startet",
  "launch-delayed": "Der Start dauert länger als üblich",
  applying: "Ihre Änderungen werden übernommen",
  updating: "Ihr Workspace wird aktualisiert",
  restoring: "Ihr Backup wird wiederhergestellt",
  recovering: "Ihr Workspace kommt wieder online",
  offline: "Ihr Workspace antwortet nicht",
  "offline-for-us": "Ihr Workspace ist wegen eines Problems bei uns offline",
  stopped: "Ihr Workspace ist gestoppt",
  paused: "Ihr Workspace ist pausiert",
  "scheduled-for-deletion": "Ihr Workspace wird gelöscht",
  deleting: "Ihr Workspace wird gerade gelöscht",
  "over-quota": "Ihre Workflows sind gestoppt",
  "first-day": "Ihr Workspace ist bereit für den ersten Workflow",
  asleep: "Ihr Workspace schläft",
  online: "Ihr Workspace ist online",
  "trial-ending": "Ihre Testphase endet bald",
  "trial-over": "Ihre Testphase ist vorbei",
  expiring: "Ihr Tarif läuft aus",
} satisfies Translated<typeof stateHeadlines>;
