import type { Translated } from "../../words/spoken.ts";
import { germanClosingWords } from "../closing/words.de.ts";
import type { suspensionWords } from "./words.ts";

export const suspensionGerman = {
  page: "Konto gesperrt",
  title: "Ihr Konto ist gesperrt",
  lead: "Ihr Workspace ist gestoppt, und unter seiner Adresse antwortet nichts. Seine Daten bleiben erhalten.",
  reason: "Grund",
  since: "Seit",
  until: "Bis",
  openEnd: "Bis wir die Sperre aufheben",
  afterwards: "Danach startet Ihr Workspace wieder, mit allem, was er hatte.",
  contact: {
    title: "Ein Irrtum, oder besteht der Grund nicht mehr?",
    text: "Schreiben Sie an {{email}}, mit dem Namen Ihres Kontos: {{account}}.",
    none: "Schreiben Sie an unseren Support, mit dem Namen Ihres Kontos: {{account}}.",
    action: "An den Support schreiben",
    subject: "Gesperrtes Konto {{account}}",
  },
  can: {
    title: "Was Sie weiterhin tun können",
    backups: "Backups erstellen und herunterladen",
    billing: "Rechnungen lesen oder Ihr Abo kündigen",
    security: "Ihr Passwort ändern und sehen, wer angemeldet ist",
    payment: "Eine Zahlung hebt die Sperre nicht auf. Ein Abo läuft weiter, bis Sie es kündigen.",
  },
} satisfies Translated<typeof suspensionWords>;

export default { suspension: suspensionGerman, ...germanClosingWords };
