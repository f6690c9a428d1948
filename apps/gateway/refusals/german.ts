/** The gateway's pages in German. Programs get English: they decide by the code. */
import { deletionAfterEndDays, deletionAfterPauseDays } from "#contract/billing/plans/plan-days.ts";
import { germanFor } from "#contract/sentences/in-german.ts";
import type { PageWords } from "./refusal-page.ts";
import type { Refusal, refusals } from "./refusal.ts";

type Code = (typeof refusals)[keyof typeof refusals]["code"];

interface GermanWords {
  title: string;
  detail: string;
  /** The label of the refusal's button, if it has its own. */
  label?: string;
}

export const germanRefusals: Record<Code, GermanWords> = {
  workspace_unknown: {
    title: "Unter dieser Adresse gibt es keinen Workspace",
    detail: "Prüfen Sie die Schreibweise, oder suchen Sie die Adresse Ihres Workspace im Panel.",
  },
  not_found: { title: "Unter dieser Adresse gibt es nichts", detail: "Prüfen Sie die Schreibweise des Pfads." },
  workspace_starting: {
    title: "Dieser Workspace startet",
    detail: "Er ist gleich bereit.",
  },
  workspace_waking: {
    title: "Dieser Workspace wacht auf",
    detail: "Eine Weile war nichts in ihm los. Er ist in wenigen Sekunden bereit.",
  },
  workspace_stopped: { title: "Dieser Workspace ist gestoppt", detail: "Wenn es Ihrer ist, zeigt das Panel den Grund." },
  workspace_unavailable: {
    title: "Dieser Workspace ist nicht verfügbar",
    detail: "Wenn es Ihrer ist, zeigt das Panel den Grund und wohin Sie sich wenden können.",
  },
  workspace_paused: {
    title: "Dieser Workspace ist pausiert",
    detail: `Wenn es Ihrer ist, zeigt das Panel den Grund und wie Sie ihn wieder starten. Ihre Daten bleiben ${deletionAfterPauseDays} Tage erhalten.`,
    label: "Abrechnung öffnen",
  },
  workspace_trial_ended: {
    title: "Die Testphase dieses Workspace ist beendet",
    detail: `Wenn es Ihrer ist, wählen Sie einen Tarif, um ihn wieder zu starten. Ihre Daten bleiben nach dem Ende der Testphase ${deletionAfterEndDays} Tage erhalten.`,
    label: "Tarif wählen",
  },
  workspace_subscription_ended: {
    title: "Das Abo dieses Workspace ist beendet",
    detail: "Wenn es Ihrer ist, schließen Sie das Abo wieder ab, um ihn zurückzuholen. Das Panel zeigt, bis wann das möglich ist.",
    label: "Abrechnung öffnen",
  },
  workspace_offline: {
    title: "Dieser Workspace antwortet nicht",
    detail: "Er sollte laufen und wird neu gestartet. Versuchen Sie es gleich noch einmal. Wenn es Ihrer ist, zeigt das Panel die Ursache.",
  },
  workspace_broke_off: {
    title: "Der Workspace hat die Verbindung beendet",
    detail: "Er hat die Anfrage erhalten und die Verbindung vor der Antwort getrennt. Die Anfrage kann etwas bewirkt haben.",
  },
  workspace_timed_out: {
    title: "Der Workspace hat zu lange gebraucht",
    detail: "Er hat die Anfrage erhalten und innerhalb von 300 Sekunden nicht geantwortet. Die Anfrage kann etwas bewirkt haben.",
  },
  request_too_slow: {
    title: "Die Anfrage kam zu langsam an",
    detail: "Eine Zeit lang kam nichts mehr an, deshalb blieb sie unvollständig. Senden Sie sie noch einmal.",
  },
  workspace_too_many_calls: {
    title: "Zu viele Aufrufe auf einmal",
    detail: "Dieser Workspace bearbeitet so viele Aufrufe, wie er kann, und es warten schon zu viele. Versuchen Sie es gleich noch einmal.",
  },
  connection_too_many_requests: {
    title: "Zu viele Anfragen auf einer Verbindung",
    detail: "Auf dieser Verbindung warten schon zu viele Anfragen. Warten Sie auf eine Antwort, bevor Sie die nächste senden.",
  },
  workspace_too_many_listeners: {
    title: "Zu viele offene Verbindungen",
    detail:
      "Zu viele Besucher halten einen Ereignisstrom oder einen WebSocket dieses Workspace offen. Versuchen Sie es erneut, wenn einige gegangen sind.",
  },
  workspace_busy: {
    title: "Dieser Workspace ist ausgelastet",
    detail: "Er bearbeitet so viele Anfragen, wie er kann. Versuchen Sie es gleich noch einmal.",
  },
  gateway_unavailable: {
    title: "Der Dienst ist ausgelastet",
    detail: "Wir konnten diesen Workspace nicht nachschlagen. Versuchen Sie es gleich noch einmal.",
  },
  cookies_too_large: {
    title: "Ihr Browser hat zu viele Cookies gesendet",
    detail:
      "Eine Seite hat mehr Cookies für diese Website gespeichert, als sie annimmt. Wir haben Ihren Browser angewiesen, sie zu löschen. Laden Sie diese Seite neu, und melden Sie sich wieder an, wenn danach gefragt wird. Sehen Sie diese Seite noch einmal, löschen Sie die Cookies dieser Website in den Einstellungen Ihres Browsers.",
  },
  bad_request: {
    title: "Die Anfrage ist nicht lesbar",
    detail: "Sie ist mehrdeutig oder fehlerhaft und wurde nicht weitergegeben.",
  },
};

/** The refusal's words for a German reader. A reason without a known German translation is replaced with the general one. */
export function inGerman({ code, title, detail, wayOn }: Refusal): { title: string; detail: string; label?: string | undefined } {
  const words = germanRefusals[code as Code] as GermanWords | undefined;
  if (!words) return { title, detail, label: wayOn?.label };
  return { title: words.title, detail: germanFor(detail) ?? words.detail, label: words.label };
}

export const germanPageWords: PageWords = {
  panel: "Panel öffnen",
  again: "Diese Seite prüft automatisch erneut.",
  continues: "Diese Seite geht von selbst weiter.",
  notSent: "Ihre Anfrage wurde nicht weitergegeben. Senden Sie sie noch einmal, sobald der Workspace bereit ist.",
  late: "Das dauert länger als sonst. Wenn der Workspace Ihrer ist, zeigt das Panel, woran es liegt.",
  start: "Zur Startseite des Workspace",
  reload: "Laden Sie diese Seite neu, um fortzufahren.",
};
