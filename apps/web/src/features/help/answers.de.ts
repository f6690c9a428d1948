import { trialDays } from "#contract/billing/plans/plan-days.ts";
import type { HelpSection } from "./search-help.ts";

const helpAnswers: readonly HelpSection[] = [
  {
    title: "Registrierung",
    items: [
      {
        id: "confirmation-email",
        question: "Die Bestätigungs-E-Mail kommt nicht an. Was kann ich tun?",
        answer:
          "Sehen Sie zuerst im Spam-Ordner nach. Senden Sie die E-Mail dann auf der Seite „Sehen Sie in Ihr Postfach“ erneut, höchstens einmal pro Minute. Nur der Link in der neuesten E-Mail gilt.",
        also: "verifizieren bestätigung adresse postfach spam erneut senden",
      },
      {
        id: "link-expired",
        question: "Der Bestätigungslink ist abgelaufen. Ist mein Konto verloren?",
        answer:
          "Nein. Melden Sie sich mit Kontoname oder E-Mail-Adresse und Passwort an, und senden Sie dann im Dashboard eine neue E-Mail.",
        also: "anmelden verifizieren bestätigung",
      },
      {
        id: "account-name",
        question: "Kann ich meinen Kontonamen ändern?",
        answer: "Nein. Er ist Teil der Adresse Ihres Workspace, und andere Dienste rufen diese Adresse vielleicht schon auf.",
        also: "umbenennen benutzername url domain",
      },
      {
        id: "another-device",
        question: "Kann ich mich auf einem Gerät registrieren und auf einem anderen weitermachen?",
        answer:
          "Ja. Jeder fertige Schritt ist in Ihrem Konto gespeichert. Melden Sie sich irgendwo an, und das Dashboard zeigt den nächsten.",
        also: "handy laptop computer fortsetzen",
      },
      {
        id: "skip-steps",
        question: "Muss ich die Fragen beantworten, Apps wählen und Personen einladen?",
        answer:
          "Nein. Sie können alle drei Schritte überspringen und bis zum Start des Workspace im Dashboard nachholen. Nur die E-Mail-Adresse müssen Sie bestätigen.",
        also: "freiwillig optional umfrage team",
      },
    ],
  },
  {
    title: "Anmeldung",
    items: [
      {
        id: "forgot-password",
        question: "Ich habe mein Passwort vergessen. Wie komme ich hinein?",
        answer:
          "Wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Wir senden Ihnen einen Link, mit dem Sie ein neues wählen. Er gilt einmal und eine Stunde lang.",
        also: "zurücksetzen wiederherstellen anmelden login einloggen",
      },
      {
        id: "log-in-while-offline",
        question: "Kann ich mich anmelden, während mein Workspace offline ist?",
        answer:
          "Ja. Das Panel funktioniert auch ohne den Workspace. Auf der Anmeldeseite kann der Inhaber außerdem einen Anmeldelink per E-Mail anfordern. Diese E-Mail enthält den Status des Workspace.",
        also: "anmelden magic link ausgefallen einloggen",
      },
      {
        id: "session-expired",
        question: "Warum ist meine Sitzung abgelaufen?",
        answer:
          "Eine Sitzung endet 30 Tage nach der Anmeldung oder nach 14 Tagen ohne Nutzung. Wenn Sie Ihr Passwort ändern, enden alle anderen Sitzungen. Melden Sie sich erneut an, um zur vorherigen Seite zurückzukehren.",
        also: "abgemeldet ausgeloggt timeout einloggen",
      },
      {
        id: "signed-in-elsewhere",
        question: "Wie melde ich mich auf einem Gerät ab, das ich nicht mehr habe?",
        answer:
          "Öffnen Sie das Kontomenü, und wählen Sie „Anmeldung und Sicherheit“. Dort stehen Ihre Sitzungen: Melden Sie eine davon ab oder alle anderen. Erkennen Sie eine nicht, ändern Sie auch Ihr Passwort.",
        also: "verloren gestohlen ausloggen geräte sitzungen sicherheit",
      },
      {
        id: "change-email",
        question: "Wie ändere ich meine E-Mail-Adresse oder mein Passwort?",
        answer:
          "Öffnen Sie das Kontomenü, und wählen Sie „Anmeldung und Sicherheit“. Eine neue E-Mail-Adresse gilt, sobald Sie den Link öffnen, den wir an sie senden. Bis dahin zeigt die Seite die Änderung und lässt Sie sie zurückziehen. Ist Ihre erste Adresse noch nicht bestätigt, ersetzt eine neue sie sofort.",
        also: "mail profil konto zugangsdaten",
      },
    ],
  },
  {
    title: "Ihr Workspace",
    items: [
      {
        id: "workspace",
        question: "Was ist ein Workspace?",
        answer:
          "Ihr eigenes Werkzeug für Automatisierungen, mit eigenem Prozess, eigener Datenbank, eigenen Schlüsseln und eigener Adresse, die mit Ihrem Kontonamen beginnt. Nur Sie und die Personen, die Sie einladen, können darin arbeiten.",
        also: "instanz server url domain",
      },
      {
        id: "launch",
        question: "Wie lange dauert ein Start?",
        answer:
          "Meist einige Sekunden. Der erste Start einer Version kann einige Minuten dauern, weil die Engine zuerst heruntergeladen und geprüft wird. Sie können die Seite schließen. Der Start läuft weiter.",
        also: "starten einrichten erstellen installieren langsam",
      },
      {
        id: "statuses",
        question: "Was bedeuten die Statusangaben?",
        answer:
          "Wird eingerichtet und Startet: der erste Start. Online: Der Workspace antwortet. Schläft: Er ist online, aber es passiert nichts darin, und die nächste Anfrage weckt ihn. Wird geändert: Eine Änderung wird übernommen. Offline: Er antwortet nicht und wird automatisch neu gestartet. Gestoppt: Er läuft nicht, seine Daten bleiben erhalten. Pausiert: Zahlungen sind fehlgeschlagen. Läuft aus: Sie haben gekündigt, und er läuft bis zum Ende des bezahlten Zeitraums. Wird gelöscht: Er wird entfernt.",
        also: "zustand status pausiert abgelaufen start",
      },
      {
        id: "offline",
        question: "Mein Workspace ist offline. Was soll ich tun?",
        answer:
          "Warten Sie einige Minuten: Er wird automatisch neu gestartet. „Letzte Ereignisse“ im Dashboard und „Absturzverlauf“ unter „Verwalten“, „Überwachung“ zeigen, was passiert ist. Seine Ausgaben stehen unter „Verwalten“, „Logs“. Bleibt er offline, starten Sie ihn dort neu, und schreiben Sie uns dann.",
        also: "absturz kaputt nicht erreichbar fehler logs arbeitsspeicher ausgefallen",
      },
      {
        id: "restart",
        question: "Was passiert bei einem Neustart?",
        answer:
          "Ausführungen, die dann laufen, dürfen zuerst enden, höchstens einige Minuten lang; das Dashboard zeigt, wie viele es noch sind. Danach ist der Workspace etwa eine Minute nicht erreichbar. Eingehende Webhooks warten bis zu 28 Sekunden, dann werden sie abgelehnt.",
        also: "neu starten neu laden ausfallzeit",
      },
      {
        id: "signed-in",
        question: "Warum muss ich mich im Workspace nicht noch einmal anmelden?",
        answer:
          "„Workspace öffnen“ erstellt einen Link, der einmal und 60 Sekunden lang gilt und Sie als Inhaber anmeldet. Geben Sie ihn nicht weiter.",
        also: "einloggen öffnen editor inhaber automatisch",
      },
      {
        id: "timezone",
        question: "Welche Zeitzone verwenden Zeitpläne?",
        answer: "Die Zeitzone, die Sie beim Einrichten gewählt haben. Ändern können Sie sie unter „Verwalten“, „Einstellungen“.",
        also: "uhr zeit cron zeitplan trigger utc",
      },
      {
        id: "invite",
        question: "Wie lade ich Personen ein?",
        answer:
          "Geben Sie auf der Seite „Team einladen“ eine Adresse oder eine ganze Liste ein. Die Eingeladenen erhalten eine E-Mail, sobald der Workspace online ist. „Mitglieder“ unter „Verwalten“ zeigt, wer beigetreten ist. Dort können Sie eine Einladung erneut senden oder zurückziehen.",
        also: "team kollegen benutzer mitglieder hinzufügen plätze",
      },
      {
        id: "slow",
        question: "Mein Workspace ist langsam. Wie finde ich die Ursache?",
        answer:
          "„Verwalten“, „Überwachung“ zeigt Arbeitsspeicher, Prozessor und Speicherplatz gegen ihre Grenzen, mit Neustarts, Versionen und Backups auf derselben Achse, und wie schnell Webhooks beantwortet wurden. „Verwalten“, „Logs“ folgt den Ausgaben des Workspace und filtert sie nach Stufe. Bleibt der Arbeitsspeicher nahe seiner Grenze, wählen Sie einen Tarif mit mehr.",
        also: "leistung arbeitsspeicher cpu prozessor platte verbrauch latenz messwerte logs fehlersuche",
      },
      {
        id: "environment-variables",
        question: "Wie setze ich Umgebungsvariablen, etwa für API-Schlüssel?",
        answer:
          "Fügen Sie unter „Verwalten“, „Einstellungen“ Umgebungsvariablen hinzu. In n8n lesen Workflows sie als $env.NAME, in Node-RED als env.get. Das Panel zeigt einen verborgenen Wert nie wieder, aber alle, die Workflows bauen, können ihn lesen. In n8n wirken Änderungen binnen Sekunden; bei dessen eigenen Einstellungen und bei jeder Änderung in Node-RED startet der Workspace neu. Für Schlüssel eines einzelnen Dienstes nehmen Sie besser Zugangsdaten des Workspace.",
        also: "env umgebungsvariable variable variablen geheimnis token konfiguration konstanten",
      },
      {
        id: "community-nodes",
        question: "Kann ich Community-Nodes installieren?",
        answer:
          "In n8n ja, soweit dieser Dienst es erlaubt: im Workspace unter „Settings“, „Community nodes“. Sie überstehen Updates und sind Teil der Backups. „Verwalten“, „Einstellungen“ führt sie auf und nennt die, die ausgelassen wurden, weil der Workspace mit ihnen nicht startete.",
        also: "pakete plugins erweiterungen npm integrationen",
      },
      {
        id: "files",
        question: "Wo legen Workflows Dateien ab?",
        answer:
          "In n8n liest und schreibt der Node „Read/Write Files from Disk“ im Ordner .n8n-files des Workspaces und in keinem anderen: Geben Sie als Pfad zum Beispiel .n8n-files/bericht.pdf an. Die Dateien zählen zu Ihrem Speicherplatz, bleiben bei Neustarts und Updates erhalten und sind Teil der Backups, die Sie herunterladen können.",
        also: "datei festplatte speicher ordner pfad lesen schreiben speichern hochladen zugriff",
      },
      {
        id: "delete-workspace",
        question: "Wie lösche ich meinen Workspace?",
        answer:
          "Unter „Verwalten“, „Gefahrenbereich“. Vorher wird ein letztes Backup erstellt und {{backupDays}} Tage aufbewahrt: Es kann in einem neuen Workspace wiederhergestellt werden. Ihr Konto und Ihr Abo bleiben bestehen.",
        also: "entfernen gefahrenbereich schließen",
      },
    ],
  },
  {
    title: "Versionen und Updates",
    items: [
      {
        id: "update",
        question: "Wie aktualisiere ich meinen Workspace?",
        answer:
          "Wählen Sie unter „Verwalten“, „Versionen“ eine Version, und speichern Sie, oder lassen Sie Updates automatisch in Stunden installieren, die Sie festlegen. Vor jedem Update wird ein Backup erstellt.",
        also: "upgrade release version kanal automatisch wartungsfenster",
      },
      {
        id: "update-back",
        question: "Kann ich zu einer älteren Version zurück?",
        answer:
          "Nach einem Update können Sie unter „Verwalten“, „Versionen“ auf die vorherige Version zurücksetzen. Dabei wird das Backup von vor dem Update wiederhergestellt; spätere Änderungen werden aus dem Workspace entfernt und als Backup aufbewahrt. Sonst ist von einer Version, die die Datenbank migriert hat, kein Weg zurück möglich.",
        also: "downgrade zurücksetzen rückgängig migration version",
      },
    ],
  },
  {
    title: "Backups und Exporte",
    items: [
      {
        id: "backups",
        question: "Wann werden Backups erstellt, und wo sind sie?",
        answer:
          "Jede Nacht, vor jedem Update, jeder Wiederherstellung und jeder Löschung sowie auf Wunsch. Jedes wird verschlüsselt, dann geöffnet und geprüft, bevor es als erfolgreich gilt. Sie stehen unter „Verwalten“, „Backups“. Dort sehen Sie auch, wie lange Ihr Tarif sie aufbewahrt.",
        also: "sicherung sichern kopie datenverlust backup",
      },
      {
        id: "restore-backup",
        question: "Wie stelle ich ein Backup wieder her?",
        answer:
          "Wählen Sie unter „Verwalten“, „Backups“ beim Backup „Wiederherstellen“. Das Backup ersetzt alles im Workspace, der dabei etwa eine Minute nicht erreichbar ist. Der aktuelle Stand wird vorher gesichert.",
        also: "sicherung zurückholen rückgängig verloren gelöscht",
      },
      {
        id: "export",
        question: "Wie nehme ich meine Workflows und Zugangsdaten mit?",
        answer:
          "Unter „Verwalten“, „Export“. „Workflows exportieren“ erstellt eine Zip-Datei, die Sie in jeden Workspace derselben Art importieren können. Zugangsdaten können Sie einschließen, verschlüsselt mit einer Passphrase, die Sie wählen. Ganze Backups können Sie unter „Verwalten“, „Backups“ herunterladen.",
        also: "download umziehen migrieren verlassen workflow json backup",
      },
    ],
  },
  {
    title: "Testphase und Grenzen",
    items: [
      {
        id: "trial",
        question: "Wie lange dauert die Testphase, und was kostet sie?",
        answer: `${trialDays} Tage ab dem Start Ihres Workspace. Sie ist kostenlos, und Sie brauchen keine Kreditkarte.`,
        also: "gratis test demo preis karte",
      },
      {
        id: "limits",
        question: "Welche Grenzen hat mein Tarif?",
        answer:
          "Das Dashboard zeigt die Ausführungen dieses Zeitraums und Ihre aktiven Workflows mit den Grenzen Ihres Tarifs. Bei 100 % der Ausführungen senden wir Ihnen eine E-Mail und, solange Sie sie unter „Benachrichtigungen“ nicht abschalten, auch bei 80 %. Nach 100 % werden neue Ausführungen abgelehnt, bis der nächste Zeitraum beginnt oder Sie einen größeren Tarif wählen.",
        also: "kontingent nutzung ausführungen workflows limit verbraucht überschritten",
      },
      {
        id: "technical-limits",
        question: "Welche technischen Grenzen hat ein Workspace?",
        answer:
          "Ein Webhook hat 300 Sekunden für die Antwort, danach erhält der Aufrufer 504; die Ausführung läuft weiter. Ein Inhalt darf höchstens 16 MB groß sein, als Formular gesendete Dateien 200 MB; Größeres erhält 413. Während ein Workspace startet, warten bis zu 1.000 Aufrufe bis zu 28 Sekunden, danach erhalten Aufrufer 503. Ein Workspace bearbeitet je 64 MB Arbeitsspeicher einen Webhook-Aufruf gleichzeitig, ein großer Inhalt zählt wie mehrere, und es laufen so viele Ausführungen gleichzeitig, wie Ihr Tarif nennt; bis zu 1.000 weitere Aufrufe warten, darüber hinaus erhalten Aufrufer 429. Höchstens 512 Anfragen aller Art laufen gleichzeitig; weitere erhalten 503. Sind die Ausführungen Ihres Tarifs verbraucht, erhalten Aufrufer 429 (402 in der Testphase), bevor etwas läuft. Jede Antwort mit 503, 429 und 402 nennt in Retry-After, wann ein neuer Versuch lohnt. Port 25 und private Netze sind aus einem Workspace nicht erreichbar.",
        also: "timeout 504 413 503 429 402 größe hochladen payload warten smtp retry-after webhook anfrage",
      },
      {
        id: "python",
        question: "Kann ein Code-Node von n8n Python ausführen?",
        answer:
          "Nein. Code-Nodes führen JavaScript aus, mit den Modulen crypto, luxon und moment. Ein Code-Node in Python aus einem importierten Workflow schlägt bei der Ausführung fehl und nennt den Grund: Wählen Sie JavaScript als Sprache, und übersetzen Sie seinen Code.",
        also: "python code node sprache skript import",
      },
      {
        id: "sharing",
        question: "Was können Mitglieder meines Workspace teilen?",
        answer:
          "Jede Person bekommt einen eigenen Bereich. Wenn Ihr Tarif keine gemeinsamen Projekte enthält, werden Workflows und Zugangsdaten nicht geteilt: Um einen Workflow weiterzugeben, laden Sie ihn als JSON herunter, und importieren Sie ihn dort. Umgebungsvariablen und die Grenzen des Tarifs gelten für den ganzen Workspace. In Node-RED meldet sich nur der Inhaber an.",
        also: "mitglieder personen benutzer team teilen projekt zusammenarbeiten",
      },
      {
        id: "trial-end",
        question: "Was passiert, wenn die Testphase endet?",
        answer:
          "Der Workspace stoppt, und seine Daten werden 7 Tage aufbewahrt. Wählen Sie einen Tarif, um ihn unverändert wieder zu starten. Nach 7 Tagen wird er gelöscht, und ein letztes Backup wird {{backupDays}} Tage aufbewahrt. Wählen Sie in dieser Zeit einen Tarif, kommt daraus alles zurück. Sie können es unter „Verwalten“, „Backups“ auch herunterladen. Vor jedem Schritt senden wir Ihnen eine E-Mail.",
        also: "abgelaufen vorbei gelöscht daten danach",
      },
    ],
  },
  {
    title: "Tarife und Zahlung",
    items: [
      {
        id: "change-plan",
        question: "Wie wechsle ich meinen Tarif?",
        answer:
          "Mit der Schaltfläche oben auf jeder Seite. Bevor Sie bestätigen, sehen Sie, was jetzt fällig ist, was es danach kostet und was wegfällt.",
        also: "upgrade downgrade preis größer kleiner jährlich monatlich kontingent",
      },
      {
        id: "failed-payment",
        question: "Eine Zahlung ist fehlgeschlagen. Was passiert jetzt?",
        answer:
          "Ihr Workspace läuft vorerst weiter. „Verwalten“, „Abrechnung“ zeigt, an welchen Tagen wir die Zahlung erneut versuchen. Dort können Sie die Karte wechseln oder bezahlen. Nach dem letzten Versuch wird das Abo pausiert, und der Workspace stoppt. Seine Daten werden 30 Tage aufbewahrt, und wenn Sie das Abo fortsetzen, startet er unverändert wieder. Danach wird er gelöscht, und ein letztes Backup wird weitere {{backupDays}} Tage aufbewahrt.",
        also: "abgelehnt karte überfällig pausiert fortsetzen",
      },
      {
        id: "invoices",
        question: "Wo sind meine Rechnungen?",
        answer:
          "Unter „Verwalten“, „Abrechnung“: Öffnen Sie eine, um sie zu lesen oder zu drucken, oder laden Sie ihr PDF herunter. Auf der Seite „Abrechnung“ legen Sie Name, Anschrift und USt-IdNr. für künftige Rechnungen fest.",
        also: "quittung beleg steuer umsatzsteuer pdf",
      },
      {
        id: "cancel",
        question: "Wie kündige ich?",
        answer:
          "Unter „Verwalten“, „Abrechnung“. Bis zum Ende des bezahlten Zeitraums funktioniert alles weiter, und bis dahin können Sie die Kündigung zurücknehmen. Dann stoppt der Workspace, ein letztes Backup wird erstellt und geprüft, und der Workspace wird mit seinen Workflows und Zugangsdaten gelöscht. Das letzte Backup wird {{backupDays}} Tage aufbewahrt: Setzen Sie das Abo in dieser Zeit fort, kommt daraus alles zurück, unter derselben Adresse. Sie können es unter „Verwalten“, „Backups“ auch herunterladen.",
        also: "beenden abo kündigung stoppen erstattung abbestellen",
      },
    ],
  },
  {
    title: "Das Panel",
    items: [
      {
        id: "language",
        question: "Wie ändere ich Sprache, Design oder Zeitzone des Panels?",
        answer:
          "Im Kopf der Seite ist ein Knopf für das Design, im Fuß die Sprache. Unter „Profil“ legen Sie die Sprache für alle Ihre Browser und E-Mails fest und die Zeitzone, in der Zeiten angezeigt werden. Zeitpläne in Ihrem Workspace verwenden dessen eigene Zeitzone.",
        also: "deutsch englisch übersetzung dunkel hell modus darstellung uhrzeit",
      },
      {
        id: "emails",
        question: "Welche E-Mails erhalte ich, und wie schalte ich sie ab?",
        answer:
          "Unter „Benachrichtigungen“ können Sie E-Mails über Nutzung, installierte Updates und fertige Exporte abschalten. E-Mails, die Ihr Geld, Ihren Zugang oder Ihre Daten betreffen, senden wir immer.",
        also: "benachrichtigung benachrichtigungen mail abbestellen newsletter hinweise",
      },
      {
        id: "shortcuts",
        question: "Gibt es Tastenkürzel?",
        answer:
          "Strg K, auf einem Mac ⌘ K, öffnet eine Suche nach allen Seiten, Aktionen, Mitgliedern und Antworten. Der Buchstabe g und ein zweiter führen zu einer Seite. Die Taste ? zeigt alle Kürzel und lässt Sie einzelne Tasten abschalten.",
        also: "tasten tastatur hotkeys befehle suche",
      },
      {
        id: "api",
        question: "Gibt es eine API?",
        answer:
          "Ja: alles, was das Panel tut. Die API-Referenz führt jeden Aufruf mit Beispielen in curl und TypeScript auf und lässt Sie ihn mit Ihrer eigenen Sitzung ausprobieren.",
        also: "rest openapi curl typescript entwickler automatisieren skript referenz schnittstelle",
      },
    ],
  },
];

export default { helpAnswers };
