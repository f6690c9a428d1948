import type { Translated } from "../../../words/spoken.ts";
import type { noWorkspaceWords } from "./words.ts";

export default {
  noWorkspace: {
    title: "Ihr Workspace kann zurückkommen",
    text: "Sein letztes Backup vom {{made}} wird bis zum {{until}} aufbewahrt. Wählen Sie bis dahin einen Tarif, wird daraus alles wiederhergestellt, unter derselben Adresse.",
    failed: "Ihr letztes Backup wurde nicht wiederhergestellt",
    failedText: "{{reason}} Das Backup ist noch da, es ist also nichts verloren. Es ersetzt, was jetzt im Workspace ist.",
    again: "Backup wiederherstellen",
    waits:
      "Es ist nichts verloren: Das Backup bleibt erhalten. Wir wissen davon und versuchen es automatisch erneut. Starten Sie den Workspace neu, um es jetzt zu versuchen, oder stellen Sie ein anderes Backup wieder her.",
    noneText:
      "Ihr Konto hat keinen Workspace. Ein neuer beginnt leer, unter derselben Adresse. Das letzte Backup eines gelöschten Workspace wird {{backupDays}} Tage aufbewahrt und kann im neuen wiederhergestellt werden.",
    noneWithoutPlan: "Ihr Konto hat keinen Workspace. Wählen Sie einen Tarif, um einen neuen, leeren unter derselben Adresse zu erstellen.",
    backupsKept: "Backups eines gelöschten Workspace sind noch verfügbar.",
    toBackups: "Backups ansehen",
    creating: "Wird erstellt …",
    create: "Neuen Workspace erstellen",
    createFailed: "Der Workspace konnte nicht erstellt werden",
  } satisfies Translated<typeof noWorkspaceWords>,
};
