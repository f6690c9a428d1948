import type { Translated } from "../../../words/spoken.ts";
import type { launchingWords, versionChoiceWords } from "./words.ts";

export default {
  versionChoice: {
    label: "{{engine}}-Version",
    newest: "{{version}} (neueste)",
    hint: "Die neueste Version startet am schnellsten. Sie können später aktualisieren, aber nicht zurück.",
  } satisfies Translated<typeof versionChoiceWords>,
  launching: {
    page: "Ihr Workspace startet",
    title: "Ihr Workspace startet",
    lead: "Sie können diese Seite schließen. Der Start läuft weiter.",
    progress: "Fortschritt des Starts",
    elapsed: "Vergangen: {{time}}",
    stepsLabel: "Schritte des Starts",
    steps: {
      "install-engine": { label: "Engine installieren", note: "Nur einmal je Version, deshalb dauert der erste Start am längsten." },
      prepare: { label: "Workspace vorbereiten", note: "Eigener Ordner, eigene Schlüssel und Datenbank." },
      start: { label: "Engine starten", note: "Die Engine startet in Ihrer Zeitzone." },
      "wait-until-ready": { label: "Auf Antwort warten", note: "Wir prüfen, bis sie bereit ist." },
      "set-up-owner": { label: "Inhaberkonto erstellen", note: "Damit Sie gleich angemeldet sind." },
      "open-gateway": { label: "Adresse veröffentlichen", note: "Ihr Workspace wird erreichbar." },
    },
    state: { done: "erledigt", current: "läuft", waiting: "wartet", failed: "fehlgeschlagen" },
    expectTitle: "Was Sie erwartet",
    expectUsual: "Ein Start dauert einige Sekunden, auf einem ausgelasteten Server bis zu einer Minute.",
    expectFirst: "Der erste Start einer Version dauert einige Minuten, weil die Engine zuerst heruntergeladen und geprüft wird.",
    expectAddress: "Ihr Workspace wird unter {{address}} erreichbar sein.",
    onlineLead: "Sie werden als sein Inhaber angemeldet.",
    took: "Bereit nach {{time}}.",
    lateTitle: "Das dauert länger als üblich",
    lateText:
      "„{{step}}“ läuft seit {{time}}. Der Schritt ist nicht fehlgeschlagen: Wir prüfen ihn weiter und starten ihn neu, falls er fehlschlägt. Sie können diese Seite schließen.",
    firstTitle: "Die ersten Schritte",
    first: {
      build: { title: "Workflow erstellen", text: "Beginnen Sie mit einer Vorlage oder einer leeren Fläche." },
      publish: { title: "Live schalten", text: "Sobald er aktiv ist, laufen seine Zeitpläne und Webhooks ohne Sie." },
      invite: { title: "Team einladen", text: "Alle bekommen ein eigenes Konto in Ihrem Workspace." },
    },
    toDashboard: "Zum Dashboard",
    wrongTitle: "Der Start wird wiederholt",
    wrongNext:
      "Wir versuchen es automatisch erneut, mit immer längeren Pausen. Sie müssen nichts tun. Dauert es länger als eine Stunde, starten Sie den Workspace im Dashboard neu.",
    stoppedTitle: "Der Workspace ist gestoppt",
  } satisfies Translated<typeof launchingWords>,
};
