import type { Translated } from "../../words/spoken.ts";
import type { placeWords } from "./words.ts";

export default {
  places: {
    nav: {
      label: "Verwalten",
      menu: "Verwalten: {{place}}",
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
    settings: { lead: "Zeitzone, aufbewahrte Ausführungen, Umgebungsvariablen und Community-Nodes" },
    versions: { lead: "Was jede Version ändert, wann Updates installiert werden, und welche Version wann lief" },
  },
} satisfies Translated<{ places: typeof placeWords }>;
