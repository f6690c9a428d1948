import type { Translated } from "../../../words/spoken.ts";
import type { variablesWords } from "./words.ts";

export default {
  variables: {
    title: "Umgebungsvariablen",
    lead: {
      n8n: "Workflows lesen sie als $env.NAME. Alle, die hier Workflows bauen, können die Werte lesen.",
      "node-red": 'Flows lesen sie als env.get("NAME") oder ${NAME}. Alle, die hier Flows bauen, können die Werte lesen.',
    },
    failed: "Die Umgebungsvariablen konnten nicht geladen werden",
    empty: "Keine Umgebungsvariablen",
    emptyText: "Nutzen Sie sie für Adressen, Schlüssel und Konstanten, die mehrere Workflows verwenden.",
    first: "Umgebungsvariablen hinzufügen",
    edit: "Bearbeiten",
    editNamed: "{{name}} bearbeiten",
    done: "Fertig",
    marks: { new: "Neu", changed: "Geändert", removed: "Entfernt", refused: "Bitte prüfen" },
    noValue: "Leer",
    hidden: "Verborgen",
    new: "Neue Variable",
    takesEffect: {
      running:
        "Workflows verwenden die Änderungen wenige Sekunden nach dem Speichern, ohne Neustart. Laufende Ausführungen können sie ebenfalls verwenden.",
      restart: "Beim Speichern startet Ihr Workspace neu, das dauert etwa eine Minute.",
    },
    kept: "Variablen gehören nicht zu Backups und Exporten und bleiben bei Ihrem Konto, wenn der Workspace gelöscht wird.",
    save: "Variablen speichern",
    name: "Name",
    pasteHint: "Sie können mehrere Zeilen NAME=Wert auf einmal einfügen.",
    paste: {
      tooMany: "Zu viele Variablen",
      tooManyText_one:
        "Sie haben {{count}} neue Variable eingefügt, Platz ist aber für {{most}}: Ein Workspace kann höchstens {{possible}} haben. Nichts wurde hinzugefügt. Ihr Text ist noch in der Zwischenablage.",
      tooManyText_other:
        "Sie haben {{count}} neue Variablen eingefügt, Platz ist aber für {{most}}: Ein Workspace kann höchstens {{possible}} haben. Nichts wurde hinzugefügt. Ihr Text ist noch in der Zwischenablage.",
      tooLong: "Zu langer Text",
      tooLongText:
        "Sie haben {{count}} Zeichen eingefügt, möglich sind aber höchstens {{most}} auf einmal. Nichts wurde hinzugefügt. Ihr Text ist noch in der Zwischenablage.",
    },
    value: "Wert",
    keep: "Gespeichert. Tippen Sie, um ihn zu ersetzen.",
    accepts: "Eine Einstellung von {{engine}}. Möglich: {{values}}",
    settings_one: "{{count}} Einstellung von {{engine}}, die Sie hier setzen können",
    settings_other: "{{count}} Einstellungen von {{engine}}, die Sie hier setzen können",
    settingsText: "Alle anderen Namen, die {{engine}} liest, sind reserviert: Sie bestimmen, wo Daten liegen und wer Zugang hat.",
    settingsRestart: "{{engine}} liest seine Einstellungen beim Start: Wenn Sie eine ändern, startet Ihr Workspace neu.",
    secret: "Wert im Panel verbergen",
    add: "Variable hinzufügen",
    remove: "Entfernen",
    removeNamed: "{{name}} entfernen",
    restoreNamed: "{{name}} doch behalten",
    saved: "Variablen gespeichert. Workflows verwenden sie in wenigen Sekunden.",
    savedRestarting: "Variablen gespeichert. Der Workspace startet neu.",
    saveFailed: "Die Variablen konnten nicht gespeichert werden",
    conflict: "Die Variablen wurden in einem anderen Tab geändert",
    conflictText:
      "Ihre Änderungen bleiben erhalten. Zeigen Sie die aktuellen Variablen mit Ihren Änderungen an, prüfen Sie sie, und speichern Sie.",
    rebase: "Aktuelle Variablen anzeigen",
  },
} satisfies Translated<{ variables: typeof variablesWords }>;
