import type { Translated } from "../../../words/spoken.ts";
import type { communityNodesWords } from "./words.ts";

export default {
  communityNodes: {
    title: "Community-Nodes",
    lead: "Im Workspace installierte Pakete. Hinzufügen und entfernen können Sie sie in seinen Einstellungen.",
    manage: "Hinzufügen oder entfernen",
    failed: "Die Community-Nodes konnten nicht geladen werden",
    old: "Der Workspace ist gerade nicht erreichbar. Diese Liste ist vom {{time}}.",
    never: "Der Workspace hat seine Community-Nodes noch nicht gemeldet.",
    empty: "Noch keine Community-Nodes",
    emptyText: "Nodes, die Sie im Workspace hinzufügen, erscheinen hier.",
    heldBack: "Zurückgehalten",
    heldBackText:
      "Der Workspace ist mit seinen Community-Nodes nicht gestartet und läuft deshalb ohne sie. Entfernen oder aktualisieren Sie eine davon, und starten Sie den Workspace dann neu.",
  },
} satisfies Translated<{ communityNodes: typeof communityNodesWords }>;
