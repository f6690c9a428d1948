import { trialDays } from "#contract/billing/plans/plan-days.ts";
import type { Translated } from "../../words/spoken.ts";
import type { setupWords } from "./words.ts";

export default {
  setup: {
    page: "Workspace einrichten",
    title: "Workspace einrichten",
    lead: "Zwei Fragen, dann geht es los.",
    timezone: "Zeitzone",
    purpose: "Wofür nutzen Sie ihn zuerst?",
    purposeHint: "Freiwillig. Ihre Antwort hilft uns, besser zu werden.",
    purposeOpen: "Noch offen",
    purposes: {
      leads: "Leads erfassen und nachverfolgen",
      support: "Kundenanfragen beantworten",
      reports: "Daten sammeln und Berichte senden",
      sync: "Apps synchron halten",
      alerts: "Überwachung und Benachrichtigungen",
      documents: "Dokumente und Dateien verarbeiten",
      agents: "KI-Agenten und Assistenten",
      explore: "Erst einmal ausprobieren",
    },
    advanced: "Erweitert",
    address: "Adresse",
    engine: "Engine",
    trial: "Testphase",
    trialText: `${trialDays} Tage kostenlos, ab sofort. Ohne Kreditkarte.`,
    submit: "Workspace starten",
    pending: "Wird gestartet …",
  } satisfies Translated<typeof setupWords>,
};
