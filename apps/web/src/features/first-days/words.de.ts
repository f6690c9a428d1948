import type { Translated } from "../../words/spoken.ts";
import type { firstDaysWords } from "./words.ts";

export default {
  firstDays: {
    title: "Ihre ersten Tage",
    progress: "{{done}} von {{count}} erledigt",
    done: "erledigt",
    toDo: "offen",
    dismiss: "Diese Liste ausblenden",
    dismissed: "Die Liste ist ausgeblendet.",
    dismissFailed: "Die Liste konnte nicht ausgeblendet werden.",
    steps: {
      open: { title: "Workspace öffnen", text: "Sie sind gleich angemeldet." },
      workflow: { title: "Ersten Workflow erstellen", text: "Beginnen Sie mit einer Vorlage oder einer leeren Fläche." },
      publish: { title: "Live schalten", text: "Seine Zeitpläne und Webhooks laufen dann ohne Sie." },
      execution: { title: "Laufen sehen", text: "Es zählt, sobald ein Zeitplan, ein Webhook oder ein anderer Trigger ihn startet." },
      teammate: { title: "Jemanden einladen", text: "Alle bekommen ein eigenes Konto in Ihrem Workspace." },
      backup: { title: "Ein Backup ansehen", text: "Jede Nacht wird eines erstellt, geöffnet und geprüft." },
    },
  },
} satisfies Translated<{ firstDays: typeof firstDaysWords }>;
