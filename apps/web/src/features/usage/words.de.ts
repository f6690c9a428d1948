import type { Translated } from "../../words/spoken.ts";
import type { usageWords } from "./words.ts";

export default {
  usage: {
    none: "Noch keine Nutzung",
    noneText: "Ausführungen und aktive Workflows erscheinen hier, sobald Ihr Workspace eine Minute online ist.",
    executions: "Ausführungen",
    workflows: "Aktive Workflows",
    ofLimit: "{{used}} von {{limit}}",
    unlimited: "{{used}}, unbegrenzt",
    left: "{{count}} übrig",
    until: "Vom {{from}} bis {{to}}",
    since: "Seit {{from}}",
    forecast: "Bei gleichbleibender Nutzung etwa {{count}} bis {{date}}",
    forecastOver: "Bei gleichbleibender Nutzung etwa {{count}} bis {{date}}: mehr, als Ihr Tarif enthält",
    nearly: {
      title: "{{percent}} % Ihrer Ausführungen sind verbraucht",
      text: "Sind alle verbraucht, laufen keine Workflows mehr. Am {{date}} beginnt die Zählung neu.",
      trialText: "Sind alle verbraucht, laufen keine Workflows mehr.",
    },
    reached: {
      title: "Alle Ausführungen sind verbraucht, deshalb laufen keine Workflows mehr",
      text: "Ab dem {{date}} laufen sie wieder, mit einem größeren Tarif sofort. Nichts geht verloren: Sie können alles öffnen, ändern und exportieren.",
      trialText: "Mit einem größeren Tarif laufen sie wieder. Nichts geht verloren: Sie können alles öffnen, ändern und exportieren.",
    },
    workflowsReached: {
      title: "Alle aktiven Workflows Ihres Tarifs sind vergeben",
      text: "Um einen weiteren Workflow zu aktivieren, deaktivieren Sie zuerst einen anderen, oder wählen Sie einen größeren Tarif.",
    },
    seePlans: "Tarife ansehen",
    whatCounts: "Was zählt als Ausführung?",
    counts:
      "Jeder automatische Start eines Workflows: durch seinen Zeitplan, einen Webhook oder einen anderen Trigger, oder wenn eine fehlgeschlagene Ausführung wiederholt wird. Er zählt einmal, unabhängig von der Zahl der Schritte und auch dann, wenn er fehlschlägt.",
    countsNot:
      "Testläufe im Editor zählen nicht, ebenso wenig Workflows, die ein anderer Workflow aufruft, und Aufrufe, die abgelehnt werden, weil alle Ausführungen verbraucht sind.",
    webhooks: {
      line: "Webhooks: {{percent}} % beantwortet, im Median nach {{median}}, letzte 24 Stunden.",
      unanswered: "Webhooks: {{percent}} % beantwortet, letzte 24 Stunden.",
      none: "Webhooks: keine Aufrufe in den letzten 24 Stunden.",
      more: "Monitoring",
    },
    byWorkflow: {
      title: "Nach Workflow, in diesem Zeitraum",
      executions_one: "{{count}} Ausführung",
      executions_other: "{{count}} Ausführungen",
      failed: "{{failed}} fehlgeschlagen",
      note: "Die meistgenutzten Workflows, wie Ihr Workspace sie meldet. Durch einen Absturz unterbrochene Ausführungen zählen hier nicht zu den fehlgeschlagenen.",
    },
    chart: {
      title: "Letzte 30 Tage",
      label_one: "{{count}} Ausführung in den letzten 30 Tagen, davon {{failed}} fehlgeschlagen.",
      label_other: "{{count}} Ausführungen in den letzten 30 Tagen, davon {{failed}} fehlgeschlagen.",
      succeeded: "Erfolgreich",
      failed: "Fehlgeschlagen",
      bar: "{{date}}: {{executions}} ausgeführt, {{failed}} fehlgeschlagen",
      table: "Als Tabelle anzeigen",
      date: "Tag (UTC)",
      empty: "Keine Ausführungen in den letzten 30 Tagen",
      emptyText: "Veröffentlichen Sie einen Workflow, dann erscheinen hier die Ausführungen jedes Tages.",
    },
  },
} satisfies Translated<{ usage: typeof usageWords }>;
