import type { Translated } from "../../words/spoken.ts";
import type { openWords } from "./words.ts";

export default {
  openWorkspace: {
    title: "{{name}} gehört zu einem anderen Konto",
    text: "Sie sind als {{name}} angemeldet. Melden Sie sich ab, und melden Sie sich dann als Inhaber dieses Workspace an.",
    member:
      "Sind Sie Mitglied dieses Workspace? Gehen Sie zurück, und melden Sie sich mit der E-Mail-Adresse und dem Passwort an, die Sie beim Beitritt gewählt haben.",
  },
} satisfies Translated<{ openWorkspace: typeof openWords }>;
