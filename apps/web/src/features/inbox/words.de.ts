import type { Translated } from "../../words/spoken.ts";
import type { inboxWords } from "./words.ts";

export default {
  inbox: {
    page: "Entwicklungs-Postfach",
    title: "Entwicklungs-Postfach",
    lead: "Es ist kein Mailserver eingerichtet, deshalb werden E-Mails hier aufbewahrt statt versendet. Neue erscheinen automatisch.",
    list: "Nachrichten",
    empty: "Noch keine E-Mails",
    emptyText: "Registrieren Sie sich, oder senden Sie eine E-Mail erneut, dann erscheint sie hier.",
    closed: "Das Entwicklungs-Postfach ist nicht verfügbar",
    closedText: "Es ist nur außerhalb des Produktivbetriebs und ohne Mailserver verfügbar.",
    choose: "Wählen Sie eine Nachricht aus, um sie zu lesen.",
    to: "An",
    body: "Nachricht: {{subject}}",
    links: "Links in dieser Nachricht",
    back: "Alle Nachrichten",
  },
} satisfies Translated<{ inbox: typeof inboxWords }>;
