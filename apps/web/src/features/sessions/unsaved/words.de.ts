import type { Translated } from "../../../words/spoken.ts";
import type { unsavedWords } from "./words.ts";

export default {
  unsaved: {
    title: "Ohne Speichern abmelden?",
    text: "Noch nicht gespeichert: {{forms}}. Beim Abmelden wird verworfen, was Sie eingegeben haben.",
    forms: {
      profile: "Profil",
      settings: "Einstellungen",
      variables: "Umgebungsvariablen",
      "billing-details": "Rechnungsangaben",
      invite: "Einladungen",
      survey: "Umfrage",
      apps: "Auswahl der Apps",
      "change-email": "neue E-Mail-Adresse",
    },
    confirm: "Verwerfen und abmelden",
    stay: "Angemeldet bleiben",
    kept: "Sie wurden in einem anderen Tab abgemeldet. Ihre Eingaben hier bleiben erhalten: Melden Sie sich wieder an, um fortzufahren.",
    discard: "Verwerfen",
    lost: "Sie wurden in einem anderen Tab abgemeldet. Hier eingegebene Werte von Variablen sind verloren, weil der Browser sie nie speichert.",
  },
} satisfies Translated<{ unsaved: typeof unsavedWords }>;
