import type { Translated } from "../../../words/spoken.ts";
import type { leavingWords } from "./words.ts";

export default {
  leaving: {
    end: "Das Abo endet, und es wird nichts mehr abgebucht. Ihr Workspace stoppt. Ein letztes Backup wird erstellt und geprüft, dann wird der Workspace mit seinen Workflows und Zugangsdaten gelöscht.",
    endOther: "Das Abo endet. Ihr Workspace stoppt, und es wird nichts mehr abgebucht.",
    deletion: "{{count}} Tage später",
    deletionText: "Der Workspace wird gelöscht. Ein letztes Backup wird {{backupDays}} Tage aufbewahrt.",
    after: "{{backupDays}} Tage lang: das letzte Backup",
    afterText: "Setzen Sie das Abo in dieser Zeit fort, kommt daraus alles zurück, unter derselben Adresse. Danach wird es gelöscht.",
  } satisfies Translated<typeof leavingWords>,
};
