import type { ErrorWords } from "./sign-in-errors.ts";
import type { furtherErrors } from "./words.ts";

export default {
  furtherErrors: {
    wrong_password: { sentence: "Das ist nicht Ihr aktuelles Passwort.", next: "Prüfen Sie es und versuchen Sie es erneut." },
    other_person: {
      sentence: "In diesem Browser ist jetzt ein anderes Konto angemeldet.",
      next: "Es wurde nichts geändert. Laden Sie die Seite neu.",
    },
    trial_not_started: {
      sentence: "Die Testphase konnte nicht gestartet werden. Es wurde nichts eingerichtet.",
      next: "Versuchen Sie es gleich noch einmal. Wenn das nicht hilft, wenden Sie sich an den Support.",
    },
    proof_needed: {
      sentence: "Dafür wird das Passwort des Kontos benötigt.",
      next: "Geben Sie es ein, oder öffnen Sie den Link dort, wo Sie angemeldet sind.",
    },
    same_email: { sentence: "Das ist bereits Ihre E-Mail-Adresse.", next: "Geben Sie eine andere ein." },
    password_link_invalid: {
      sentence: "Dieser Link ist abgelaufen oder wurde schon verwendet.",
      next: "Fordern Sie einen neuen an. Ein Link gilt einmal und eine Stunde lang.",
    },
    email_change_over: {
      sentence: "Diese E-Mail-Änderung steht nicht mehr aus.",
      next: "Sie wurde bestätigt oder zurückgezogen, oder ihr Link ist abgelaufen. Die hier angezeigte Adresse ist Ihre aktuelle.",
    },
    email_link_invalid: {
      sentence: "Dieser Link ist abgelaufen oder wurde schon verwendet.",
      next: "Fordern Sie die Änderung im Kontomenü noch einmal an. Ein Link gilt einmal und eine Stunde lang.",
    },
    email_not_confirmed: {
      sentence: "Ihre E-Mail-Adresse ist noch nicht bestätigt.",
      next: "Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben.",
    },
    method_not_allowed: {
      sentence: "Diese Adresse nimmt nur andere Methoden an.",
      next: "Laden Sie die Seite neu und versuchen Sie es erneut.",
    },
    workspace_not_found: { sentence: "Es gibt noch keinen Workspace.", next: "Richten Sie Ihr Konto ein, um einen zu starten." },
    usage_unknown: {
      sentence: "Es wurde noch nichts gezählt.",
      next: "Zahlen erscheinen, sobald Ihr Workspace eine Minute online ist.",
    },
    account_name_taken: { sentence: "Dieser Kontoname ist bereits vergeben.", next: "Wählen Sie einen anderen Kontonamen." },
    email_taken: {
      sentence: "Zu dieser E-Mail-Adresse gibt es bereits ein Konto.",
      next: "Melden Sie sich an, oder verwenden Sie eine andere Adresse.",
    },
    account_suspended: {
      sentence: "Ihr Konto ist gesperrt.",
      next: "Laden Sie die Seite neu.",
    },
    account_closed: { sentence: "Ihr Konto ist geschlossen.", next: "Laden Sie die Seite neu, um es wieder zu öffnen." },
    account_not_closable: { sentence: "Dieses Konto kann noch nicht geschlossen werden.", next: "Laden Sie die Seite neu." },
    account_already_set_up: { sentence: "Das Konto ist bereits eingerichtet.", next: "Gehen Sie zum Dashboard." },
    workspace_exists: { sentence: "Es gibt bereits einen Workspace.", next: "Laden Sie die Seite neu, um ihn zu sehen." },
    workspace_replaced: {
      sentence: "Dieser Workspace wurde gelöscht und durch einen neuen ersetzt.",
      next: "Laden Sie die Seite neu. Es wurde nichts geändert.",
    },
    settings_changed: {
      sentence: "Die Einstellungen wurden in einem anderen Tab oder durch ein Update geändert.",
      next: "Vergleichen Sie Ihre Änderungen mit den aktuellen Einstellungen, und speichern Sie dann erneut.",
    },
    changed_elsewhere: {
      sentence: "Es gab eine Änderung in einem anderen Tab oder auf einem anderen Gerät.",
      next: "Die neuere Fassung wurde behalten.",
    },
    subscription_required: {
      sentence: "Dafür ist ein aktives Abo nötig.",
      next: "Wählen Sie zuerst einen Tarif, oder setzen Sie Ihr Abo fort.",
    },
    password_needed: { sentence: "Dafür wird Ihr Passwort benötigt.", next: "Geben Sie es ein, um fortzufahren." },
    workspace_not_online: { sentence: "Der Workspace ist noch nicht online.", next: "Versuchen Sie es gleich noch einmal." },
    link_expired: {
      sentence: "Der Bestätigungslink ist abgelaufen.",
      next: "Senden Sie eine neue E-Mail, und öffnen Sie den Link darin.",
    },
    link_invalid: {
      sentence: "Dieser Link ist ungültig.",
      next: "Öffnen Sie ihn noch einmal aus der neuesten E-Mail, oder senden Sie eine neue.",
    },
    instance_operations_off: {
      sentence: "Workspaces können wegen technischer Probleme gerade nicht geändert werden.",
      next: "Es geht nichts verloren. Versuchen Sie es erneut, sobald der Hinweis oben auf der Seite verschwunden ist.",
    },
    backup_not_found: {
      sentence: "Dieses Backup gibt es nicht.",
      next: "Vielleicht ist es abgelaufen. Laden Sie die Seite neu, um den aktuellen Stand zu sehen.",
    },
    backup_not_usable: {
      sentence: "Das ist mit diesem Backup nicht möglich.",
      next: "Laden Sie die Seite neu, um seinen aktuellen Stand zu sehen.",
    },
    backup_newer: {
      sentence: "Dieses Backup stammt von einer neueren Version als der Ihres Workspace.",
      next: "Aktualisieren Sie zuerst den Workspace, und stellen Sie es dann wieder her.",
    },
    too_many_backups: {
      sentence: "Sie haben die heutige Höchstzahl an Backups erreicht.",
      next: "Erstellen Sie das nächste morgen. Das nächtliche Backup läuft trotzdem.",
    },
    backup_needed: {
      sentence: "Ein laufendes Update oder eine laufende Wiederherstellung braucht dieses Backup.",
      next: "Löschen Sie es, sobald der Workspace wieder online ist.",
    },
    update_under_way: {
      sentence: "Die Version des Workspace wird gerade geändert.",
      next: "Versuchen Sie es erneut, sobald das Update abgeschlossen ist.",
    },
    restore_under_way: {
      sentence: "Es wird bereits ein Backup wiederhergestellt.",
      next: "Warten Sie, bis die Wiederherstellung abgeschlossen ist.",
    },
    export_not_found: { sentence: "Diesen Export gibt es nicht.", next: "Vielleicht ist er abgelaufen. Starten Sie einen neuen." },
    export_not_finished: { sentence: "Dieser Export wird noch erstellt.", next: "Löschen Sie ihn, sobald er fertig ist." },
    export_under_way: {
      sentence: "Ein Export mit einer anderen Passphrase wird noch erstellt.",
      next: "Warten Sie, bis er fertig ist, und exportieren Sie dann mit der neuen Passphrase.",
    },
    too_many_exports: {
      sentence: "Sie haben die heutige Höchstzahl an Exporten erreicht.",
      next: "Verwenden Sie einen der heutigen Exporte, oder exportieren Sie morgen erneut.",
    },
    download_link_invalid: {
      sentence: "Dieser Download-Link ist abgelaufen oder wurde schon verwendet.",
      next: "Starten Sie den Download erneut.",
    },
    user_quota_reached: {
      sentence: "So viele Personen sind in Ihrem Tarif nicht enthalten.",
      next: "Laden Sie weniger ein, ziehen Sie eine Einladung zurück, oder wechseln Sie in einen größeren Tarif.",
    },
    invitation_accepted: {
      sentence: "Diese Person ist bereits beigetreten.",
      next: "Personen verwalten Sie in den Einstellungen des Workspace unter „Users“.",
    },
    too_many_streams: {
      sentence: "Diese Seite ist in zu vielen Fenstern geöffnet.",
      next: "Schließen Sie einige davon. Dieses wird weiterhin aktualisiert, nur seltener.",
    },
    too_many_invitations: {
      sentence: "Sie haben die heutige Höchstzahl an Einladungen erreicht.",
      next: "Laden Sie die Übrigen morgen ein.",
    },
    roll_back_impossible: {
      sentence: "Es gibt kein Update, das zurückgesetzt werden kann.",
      next: "Das Backup ist abgelaufen, oder es läuft inzwischen eine andere Version. Laden Sie die Seite neu.",
    },
    plan_not_found: { sentence: "Diesen Tarif gibt es nicht.", next: "Wählen Sie einen der angezeigten Tarife." },
    plan_withdrawn: { sentence: "Dieser Tarif ist nicht mehr wählbar.", next: "Wählen Sie einen der angezeigten Tarife." },
    already_subscribed: {
      sentence: "Sie haben bereits ein aktives Abo.",
      next: "Wechseln Sie den Tarif, statt ein zweites Abo abzuschließen.",
    },
    subscription_not_found: { sentence: "Es gibt noch kein Abo.", next: "Wählen Sie zuerst einen Tarif." },
    update_billing_first: {
      sentence: "Bitte aktualisieren Sie zuerst Ihre Zahlungsdaten.",
      next: "Wechseln Sie danach den Tarif.",
    },
    preview_stale: {
      sentence: "Der Preis hat sich geändert.",
      next: "Prüfen Sie die neuen Beträge, und bestätigen Sie erneut. Es wurde nichts abgebucht.",
    },
    payment_declined: {
      sentence: "Die Zahlung wurde abgelehnt.",
      next: "Es wurde nichts geändert. Verwenden Sie eine andere Karte, oder wenden Sie sich an Ihre Bank.",
    },
    payment_action_required: {
      sentence: "Ihre Bank bittet Sie, die Zahlung zu bestätigen.",
      next: "Bestätigen Sie sie auf der Zahlungsseite. Es wurde noch nichts geändert.",
    },
    idempotency_key_reused: {
      sentence: "Diese Anfrage wurde bereits mit anderem Inhalt gestellt.",
      next: "Laden Sie die Seite neu und versuchen Sie es erneut.",
    },
    invoice_not_found: { sentence: "Diese Rechnung gibt es nicht.", next: "Laden Sie die Liste der Rechnungen neu." },
    webhook_refused: { sentence: "Die Signatur dieses Ereignisses ist ungültig.", next: "Prüfen Sie den Signaturschlüssel." },
    renewal_under_way: {
      sentence: "Ihr Abo verlängert sich innerhalb der nächsten halben Stunde. Es wurde nichts geändert.",
      next: "Tarifwechsel und Kündigungen sind nach der Verlängerung wieder möglich.",
    },
    payments_unavailable: {
      sentence: "Der Zahlungsanbieter ist nicht erreichbar.",
      next: "Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.",
    },
  },
} satisfies { furtherErrors: Record<keyof typeof furtherErrors, ErrorWords> };
