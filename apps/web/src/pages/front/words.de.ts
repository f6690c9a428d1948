import { trialDays } from "#contract/billing/plans/plan-days.ts";
import type { Translated } from "../../words/spoken.ts";
import type { frontWords } from "./words.ts";

export default {
  front: {
    plansLink: "Tarife",
    start: "Kostenlos testen",
    startShort: "Testen",
    noCard: `${trialDays} Tage kostenlos. Ohne Kreditkarte.`,
    givenTitle: "Was Sie bekommen",
    given: {
      own: {
        title: "Von allen anderen getrennt",
        text: "Jeder Workspace ist ein eigenes Programm mit eigenen Dateien, eigenem Speicherlimit und eigenem Schlüssel, unter eigener Adresse.",
      },
      running: {
        title: "Immer am Laufen",
        text: "Überwachung, Neustarts, geprüfte Updates und ein Wartungsfenster Ihrer Wahl. Sie sehen jedes Ereignis.",
      },
      backups: {
        title: "Jede Nacht gesichert",
        text: "Backups sind verschlüsselt, geprüft und mit einem Klick wiederhergestellt. Sie können sie herunterladen.",
      },
      yours: {
        title: "Jederzeit mitnehmbar",
        text: "Exportieren Sie Workflows und Zugangsdaten jederzeit und importieren Sie sie überall, wo der Editor läuft.",
      },
    },
    plansTitle: "Tarife",
    plansText: "Jeder Tarif beginnt mit der kostenlosen Testphase. Wechseln oder kündigen können Sie jederzeit.",
    loading: "Tarife werden geladen",
    end: "Starten Sie Ihren Workspace noch heute",
  },
} satisfies Translated<{ front: typeof frontWords }>;
