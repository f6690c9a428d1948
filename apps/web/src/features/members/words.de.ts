import type { Translated } from "../../words/spoken.ts";
import type { manageAreaWords } from "./words.ts";

export default {
  manageArea: {
    members: {
      page: "Mitglieder",
      title: "Mitglieder",
      lead: "Personen in Ihrem Workspace und eingeladene Personen",
      people: "Personen",
      peopleLead: {
        n8n: "Rollen kommen aus n8n und werden dort geändert.",
        "node-red": "In Node-RED meldet sich nur der Inhaber an.",
      },
      roles: "Rollen ändern",
      role: { owner: "Inhaber", admin: "Admin", member: "Mitglied", other: "Andere Rolle" },
      invited: "Eingeladen",
      noLimit: "Ihr Tarif enthält unbegrenzt viele Personen.",
      limit_one: "{{used}} von {{count}} Person Ihres Tarifs.",
      limit_other: "{{used}} von {{count}} Personen Ihres Tarifs, Einladungen eingeschlossen.",
      you: "Sie",
      lastActive: "Zuletzt aktiv: {{day}}.",
      pending: "Offene Einladungen",
      alone: "Bisher nur Sie",
      aloneText: "Hier erscheinen die Personen, die Sie einladen, erst als Einladung, dann als Mitglied.",
      single: "Node-RED hat einen Benutzer: Sie",
      singleText: "Weitere Personen können nicht eingeladen werden.",
      failed: "Die Mitglieder konnten nicht geladen werden",
      old: "Der Workspace ist gerade nicht erreichbar. Diese Liste ist vom {{time}}.",
      never: "Der Workspace war noch nicht erreichbar, deshalb sind nur Sie und die von Ihnen eingeladenen Personen aufgeführt.",
      invite: "Personen einladen",
    },
  },
} satisfies Translated<{ manageArea: typeof manageAreaWords }>;
