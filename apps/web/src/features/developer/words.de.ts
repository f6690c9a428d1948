import type { Translated } from "../../words/spoken.ts";
import type { developerWords } from "./words.ts";

export default {
  developer: {
    label: "Sandbox",
    about: "Es wird keine echte Karte belastet, und Sie können die Uhr des Dienstes vorstellen.",
    time: "Zeit des Dienstes",
    ahead: "{{days}} voraus",
    days_one: "{{count}} Tag",
    days_other: "{{count}} Tage",
    move: "Uhr vorstellen",
    moving: "Die Uhr wird vorgestellt und Fälliges verarbeitet …",
    moved: "Es ist jetzt {{time}}. Alles, was fällig war, ist verarbeitet.",
    unsettled: "Es ist jetzt {{time}}. Einiges, was fällig war, wird noch verarbeitet.",
    steps: { day: "+1 Tag", threeDays: "+3 Tage", fortnight: "+14 Tage", month: "+1 Monat" },
    custom: "Anderer Schritt",
    customHint: "Zum Beispiel 7d, 36h, 90m oder 2mo.",
    customInvalid: "Geben Sie eine Zahl mit d, h, m oder mo ein, zum Beispiel 7d.",
    go: "Vorstellen",
    webhooks: "Webhooks",
    webhooksState: "{{waiting}} warten, {{dropped}} verworfen",
    delay: "10 Minuten zu spät zustellen",
    duplicate: "Doppelt zustellen",
    reorder: "Neueste zuerst zustellen",
    drop: "Nie zustellen",
    sendDropped: "Verworfene Webhooks senden",
    sendNewest: "Die neuesten 10 erneut senden",
    failed: "Die Aktion ist fehlgeschlagen.",
    inbox: "Entwicklungs-Postfach",
  },
} satisfies Translated<{ developer: typeof developerWords }>;
