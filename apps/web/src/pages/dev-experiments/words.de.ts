import type { Translated } from "../../words/spoken.ts";
import type { experimentWords } from "./words.ts";

export default {
  experiments: {
    page: "Experimente",
    title: "Experimente",
    lead: "Wählen Sie, welche Variante dieser Browser zeigt. Das betrifft nur diesen Browser und wird nicht erfasst.",
    assigned: "Ihnen zugewiesen: {{variant}}",
    unassigned: "Nicht zugewiesen",
    asAssigned: "Wie zugewiesen",
    empty: "Es läuft kein Experiment",
    emptyText: "Sobald eines läuft, können Sie hier seine Varianten wählen.",
    notKept: "Dieser Browser speichert keine Daten. Ihre Auswahl geht beim Neuladen verloren.",
  },
} satisfies Translated<{ experiments: typeof experimentWords }>;
