import type { Translated } from "../../../words/spoken.ts";
import type { historyWords } from "./words.ts";

export default {
  history: {
    title: "Versionsverlauf",
    lead: "Welche Version wann lief, und wer sie geändert hat.",
    failed: "Der Versionsverlauf konnte nicht geladen werden",
    none: "Bisher lief hier nur diese Version. Updates und Rücksetzungen erscheinen in dieser Liste.",
    more: "Ältere Versionen anzeigen",
    current: "Aktuell",
    left: "Zurückgesetzt",
    since: "seit {{day}}",
    days_one: "{{count}} Tag",
    days_other: "{{count}} Tage",
    ran: {
      launch: "Beim Start des Workspace installiert.",
      owner: "Von Ihnen aktualisiert.",
      window: "Automatisch in Ihrem Wartungsfenster aktualisiert.",
      operator: "Vom Dienst aktualisiert.",
      "roll-back": "Von Ihnen zurückgesetzt, mit allem wie vor dem Update.",
    },
    to: "Update auf {{version}}",
    toBack: "Zurücksetzen auf {{version}}",
    states: { running: "Läuft gerade", "rolled-back": "Rückgängig gemacht", failed: "Nicht installiert" },
    tried: {
      owner: "Von Ihnen angefordert.",
      window: "Automatisch in Ihrem Wartungsfenster begonnen.",
      operator: "Vom Dienst angefordert.",
      "roll-back": "Von Ihnen angefordert.",
    },
    stayed: "{{version}} blieb installiert, mit allem wie zuvor.",
  },
} satisfies Translated<{ history: typeof historyWords }>;
