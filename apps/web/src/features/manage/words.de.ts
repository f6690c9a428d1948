import type { Translated } from "../../words/spoken.ts";
import type { placeWords } from "./words.ts";

export default {
  places: {
    nav: {
      label: "Verwalten",
      menu: "Verwalten: {{place}}",
      overview: "Übersicht",
      monitoring: "Überwachung",
      logs: "Logs",
      settings: "Einstellungen",
      versions: "Versionen",
      backups: "Backups",
      export: "Export",
      members: "Mitglieder",
      billing: "Abrechnung",
      danger: "Gefahrenbereich",
    },
    overview: {
      title: "Workspace verwalten",
      lead: "Was läuft, wo, und wie es ihm geht",
      memory: "Arbeitsspeicher",
      memoryText: "{{now}} von {{limit}} MB",
      memoryNone: "Noch nicht gemessen",
      memoryOld: "Zurzeit kein Messwert",
      version: "Version",
      newer: "{{version}} ist verfügbar",
      updatesOn: "Updates werden automatisch installiert",
      updatesOff: "Automatische Updates sind aus",
      backup: "Letztes Backup",
      backupNone: "Noch keines",
      backupKept_one: "{{count}} Tag aufbewahrt",
      backupKept_other: "{{count}} Tage aufbewahrt",
      unknown: "Nicht geladen",
    },
    monitoring: { lead: "Was der Workspace verbraucht und wann er ausfiel" },
    logs: { lead: "Was der Workspace ausgibt, während er läuft" },
    settings: { lead: "Zeitzone, aufbewahrte Ausführungen, Umgebungsvariablen und Community-Nodes" },
    versions: { lead: "Was jede Version ändert, wann Updates installiert werden, und welche Version wann lief" },
    danger: { lead: "Was sich nicht rückgängig machen lässt" },
  },
} satisfies Translated<{ places: typeof placeWords }>;
