/**
 * What describes the calls and their parameters, in German, by the English text in the contract. Where the English text changes, a test
 * asks for a new line here; until then the reference shows it in English.
 */
export const germanCallDescriptions: Readonly<Record<string, string>> = {
  // Workspace
  "The workspace: what was requested, what is running, and its progress":
    "Der Workspace: was angefordert ist, was läuft, und der Fortschritt",
  "Create a new, empty workspace after the last one was deleted, if the subscription allows it":
    "Erstellt einen neuen, leeren Workspace, nachdem der letzte gelöscht wurde, sofern das Abo es erlaubt",
  "which page a browser is shown if the link is refused": "welche Seite ein Browser zeigt, wenn der Link abgelehnt wird",
  "The workspace, sent each time it changes (event `instance`)": "Der Workspace, gesendet bei jeder Änderung (Ereignis `instance`)",
  "The workspace's journal, newest first": "Die Ereignisse des Workspace, neueste zuerst",
  "`next` of the previous page": "`next` der vorigen Seite",
  "`crashes`: only unexpected stops": "`crashes`: nur unerwartete Stopps",
  "How much of the plan is used; 404 until something has been counted":
    "Wie viel vom Tarif verbraucht ist; 404, solange noch nichts gezählt wurde",
  "A one-time link, valid for 60 seconds, that signs the owner in to the workspace":
    "Ein Link, der den Inhaber im Workspace anmeldet; er gilt einmal und 60 Sekunden lang",
  "where in the workspace to land; a local path": "Ziel im Workspace, als lokaler Pfad",
  "The URL of an account's workspace, without signing in; reveals no more than a visit to that URL":
    "Die Adresse des Workspace eines Kontos, ohne Anmeldung; verrät nicht mehr als ein Besuch dieser Adresse",
  "Restart the workspace": "Startet den Workspace neu",
  "The engine versions available to the workspace, newest first; before a launch, those it can be launched with":
    "Die für den Workspace verfügbaren Versionen der Engine, neueste zuerst; vor dem ersten Start die, mit denen er starten kann",
  "Change the settings: all of them, or none if any value is invalid. The workspace restarts if necessary":
    "Ändert die Einstellungen: alle, oder keine, wenn ein Wert ungültig ist. Wenn nötig, startet der Workspace neu",
  "The environment variables for workflows, by name; secret values are left out":
    "Die Umgebungsvariablen für Workflows, nach Namen sortiert, ohne geheime Werte",
  "Replace all environment variables; a change of the engine's own settings among them restarts the workspace":
    "Ersetzt alle Umgebungsvariablen; ändern sich darunter Einstellungen der Engine selbst, startet der Workspace neu",
  "The engine's own settings that can be set as environment variables, by name":
    "Die Einstellungen der Engine, die sich als Umgebungsvariablen setzen lassen, nach Namen sortiert",
  "The last version change: its outcome, and whether the owner can roll back":
    "Der letzte Versionswechsel: sein Ergebnis, und ob der Inhaber zurücksetzen kann",
  "Every version change of the workspace, newest first": "Alle Versionswechsel des Workspace, neueste zuerst",
  "Roll back to the version before the last update, with everything as it was then; later changes are kept as a backup. Confirmed by the account's name and a recently entered password":
    "Setzt auf die Version vor dem letzten Update zurück, mit allem wie damals; spätere Änderungen werden als Backup aufbewahrt. Zur Bestätigung dienen der Kontoname und ein kürzlich eingegebenes Passwort",
  "The newest output of the workspace, oldest line first, at most 64 KB":
    "Die neuesten Ausgaben des Workspace, älteste Zeile zuerst, höchstens 64 KB",
  "The workspace's output as it is written (event `output`): the newest lines, then each addition":
    "Die Ausgaben des Workspace, sobald sie geschrieben werden (Ereignis `output`): zuerst die neuesten Zeilen, dann alle weiteren",
  "All stored output of the workspace as a text file": "Alle gespeicherten Ausgaben des Workspace als Textdatei",
  "The community nodes installed in the workspace, by name": "Die im Workspace installierten Community-Nodes, nach Namen sortiert",
  "Memory, processor time, disk, restarts, versions and backups of the workspace over a period, oldest first":
    "Arbeitsspeicher, Prozessorzeit, Speicherplatz, Neustarts, Versionen und Backups des Workspace in einem Zeitraum, älteste zuerst",
  "Calls to the workspace's webhooks over a period, as seen by the gateway: how many, how they were answered, and how fast":
    "Aufrufe der Webhooks des Workspace in einem Zeitraum, wie das Gateway sie gesehen hat: wie viele, wie beantwortet und wie schnell",
  "Permanently delete the workspace and everything in it; confirmed by the account's name and a recently entered password":
    "Löscht den Workspace und alles darin endgültig; zur Bestätigung dienen der Kontoname und ein kürzlich eingegebenes Passwort",

  // Export
  "Whether there is a successful backup: 200 or 404": "Ob es ein erfolgreiches Backup gibt: 200 oder 404",
  "Backups by page, the newest restore, exports, and the actions available now":
    "Backups seitenweise, die letzte Wiederherstellung, Exporte, und was gerade möglich ist",
  "Back up the workspace now; returns the running backup if there is one":
    "Sichert den Workspace jetzt; läuft bereits ein Backup, liefert der Aufruf dieses",
  "A one-time address for the backup, valid for five minutes; requires the password":
    "Ein Download-Link für das Backup, der einmal und fünf Minuten lang gilt; das Passwort ist nötig",
  "A one-time address for the export, valid for five minutes": "Ein Download-Link für den Export, der einmal und fünf Minuten lang gilt",
  "The file behind a download link: gzip or zip, streamed": "Die Datei hinter einem Download-Link: gzip oder zip, als Stream",
  "Replace everything in the workspace with the backup; the current state is backed up first. Confirmed by the account's name and a recently entered password":
    "Ersetzt alles im Workspace durch das Backup; der aktuelle Stand wird vorher gesichert. Zur Bestätigung dienen der Kontoname und ein kürzlich eingegebenes Passwort",
  "Permanently delete a backup; requires a recently entered password":
    "Löscht ein Backup endgültig; verlangt ein kürzlich eingegebenes Passwort",
  "Permanently delete an export that is no longer being made": "Löscht einen fertigen oder fehlgeschlagenen Export endgültig",
  "Export the workflows as files and, on request, the credentials, encrypted with a passphrase; an email follows. Credentials require the password":
    "Exportiert die Workflows als Dateien und auf Wunsch die Zugangsdaten, verschlüsselt mit einer Passphrase; eine E-Mail folgt. Für Zugangsdaten ist das Passwort nötig",

  // Invitations
  "Invite people to the workspace: all of them, or none if any address is invalid":
    "Lädt Personen in den Workspace ein: alle, oder keine, wenn eine Adresse ungültig ist",
  "The invitations and their status, oldest first": "Die Einladungen und ihr Stand, älteste zuerst",
  "Resend the email with a new link, at most once a minute": "Sendet die E-Mail mit einem neuen Link erneut, höchstens einmal pro Minute",
  "Revoke the invitation: its link stops working": "Zieht die Einladung zurück: Ihr Link wird ungültig",
  "The workspace's members, the owner first": "Die Mitglieder des Workspace, der Inhaber zuerst",

  // Account
  "Change the name, language, display timezone, or which emails are sent; omitted fields are unchanged":
    "Ändert Namen, Sprache, Zeitzone der Anzeige oder Benachrichtigungen per E-Mail; weggelassene Felder bleiben unverändert",

  // Sessions
  "Sign in with account name or email address and password": "Anmeldung mit Kontoname oder E-Mail-Adresse und Passwort",
  "End the session on the server": "Beendet die Sitzung auf dem Server",
  "Sign in with a one-time code: of a magic link, of the running workspace (60 s), or of an operator (60 s)":
    "Anmeldung mit einem Anmeldecode, der einmal gilt: aus einem Anmeldelink, vom laufenden Workspace (60 s) oder vom Betreiber (60 s)",
  "The account that a one-time code signs in to; the code stays valid": "Das Konto, zu dem ein Anmeldecode gehört; der Code bleibt gültig",
  "Email a sign-in link to the owner with this address, whatever the workspace's state; 204 whether or not there is one":
    "Sendet dem Inhaber mit dieser E-Mail-Adresse einen Anmeldelink, unabhängig vom Zustand des Workspace; 204 auch dann, wenn es keinen solchen Inhaber gibt",
  "The user's sessions: this one first, then by last use": "Die eigenen Sitzungen: zuerst diese, dann die übrigen nach letzter Nutzung",
  "End all other sessions of the user, and their pending sign-in links; requires a recently entered password":
    "Beendet alle anderen eigenen Sitzungen und macht nicht verwendete Anmeldelinks ungültig; das Passwort muss vor Kurzem eingegeben worden sein",
  "End one of the user's sessions; a session other than this one requires a recently entered password":
    "Beendet eine der eigenen Sitzungen; für eine andere als diese muss das Passwort vor Kurzem eingegeben worden sein",
  "The signed-in user with account and instance": "Die angemeldete Person mit Konto und Workspace",

  // Credentials
  "Email a link to choose a new password; 204 whether or not there is such an account":
    "Sendet per E-Mail einen Link, mit dem sich ein neues Passwort wählen lässt; 204 auch dann, wenn es kein solches Konto gibt",
  "Choose a new password with the emailed token, once; ends every session and any pending change of address":
    "Legt mit dem einmal gültigen Token aus der E-Mail ein neues Passwort fest; beendet alle Sitzungen und eine ausstehende E-Mail-Änderung",
  "Change the password, or choose a first one; ends every other session and any pending change of address":
    "Ändert das Passwort oder legt ein erstes fest; beendet alle anderen Sitzungen und eine ausstehende E-Mail-Änderung",
  "Change the email address: a link goes to the new one, a notice to the old one; 204 even if the new one is taken. Before the first confirmation the address is replaced immediately, and a taken one is refused":
    "Ändert die E-Mail-Adresse: Die neue erhält einen Link, die alte einen Hinweis; 204 auch dann, wenn die neue bereits vergeben ist. Vor der ersten Bestätigung wird die Adresse sofort ersetzt und eine vergebene abgelehnt",
  "The pending change of address; null: none": "Die ausstehende E-Mail-Änderung; null, wenn es keine gibt",
  "Withdraw the pending change of address; its links stop working":
    "Zieht die ausstehende E-Mail-Änderung zurück; ihre Links werden ungültig",
  "Confirm the new address with the emailed token, once, in a session of the account or with its password":
    "Bestätigt die neue E-Mail-Adresse mit dem einmal gültigen Token aus der E-Mail, in einer Sitzung des Kontos oder mit dessen Passwort",
  "Email another link to the new address, at most once a minute; it is valid for an hour":
    "Sendet einen weiteren Link an die neue E-Mail-Adresse, höchstens einmal pro Minute; er gilt eine Stunde lang",
  "Confirm the password in a session that was opened without it; the session may then make payments":
    "Bestätigt das Passwort in einer Sitzung, die ohne Passwort geöffnet wurde; danach sind in ihr Zahlungen möglich",

  // Sign-up
  "Create an account and sign in to it": "Erstellt ein Konto und öffnet dafür eine Sitzung",
  "The challenge to solve before registering, valid once; ALTCHA's answer is base64 of {challenge, solution}":
    "Die Aufgabe, die vor der Registrierung zu lösen ist; sie gilt einmal. Die Antwort von ALTCHA ist base64 von {challenge, solution}",
  "Whether an account name is available now; only registering reserves it":
    "Ob ein Kontoname gerade verfügbar ist; vergeben wird er erst mit der Registrierung",
  "Confirm the email address with the emailed token, in a session of the account or with its password":
    "Bestätigt die E-Mail-Adresse mit dem Token aus der E-Mail, in einer Sitzung des Kontos oder mit dessen Passwort",
  "Resend the confirmation email, at most once a minute": "Sendet die Bestätigungs-E-Mail erneut, höchstens einmal pro Minute",
  "The answer to the personalization survey; null until there is one":
    "Die Antwort auf die Umfrage zur Personalisierung; null, solange es keine gibt",
  "Save the answer to the personalization survey, replacing any earlier one":
    "Speichert die Antwort auf die Umfrage zur Personalisierung und ersetzt eine frühere",
  "The answer to the AI survey; null until there is one": "Die Antwort auf die Umfrage zu KI; null, solange es keine gibt",
  "Save the answer to the AI survey, replacing any earlier one": "Speichert die Antwort auf die Umfrage zu KI und ersetzt eine frühere",
  "The chosen apps, in the order they were chosen": "Die gewählten Apps in der Reihenfolge ihrer Auswahl",
  "Save the apps to connect, replacing the earlier choice":
    "Speichert die Apps, die verbunden werden sollen, und ersetzt die frühere Auswahl",
  "Skip a step of the sign-up; a finished one stays finished":
    "Überspringt einen Schritt der Registrierung; ein erledigter bleibt erledigt",
  "Mark the template from the sign-up link as opened; a newer one is kept":
    "Vermerkt, dass die Vorlage aus dem Link zur Registrierung geöffnet wurde; eine neuere bleibt erhalten",
  "What the owner has done with the workspace so far; a finished step stays finished":
    "Was der Inhaber mit dem Workspace bisher gemacht hat; ein erledigter Schritt bleibt erledigt",
  "Hide the first-days checklist on every device": "Blendet die Liste „Ihre ersten Tage“ auf allen Geräten aus",
  "Show the first-days checklist again after it was hidden": "Zeigt die ausgeblendete Liste „Ihre ersten Tage“ wieder an",
  "Choose timezone, purpose and version, start the trial and request the workspace":
    "Legt Zeitzone, Zweck und Version fest, beginnt die Testphase und fordert den Workspace an",

  // Plans
  "The plans that can be chosen, by their recurring price in USD, cheapest first":
    "Die wählbaren Tarife nach ihrem wiederkehrenden Preis in USD, günstigste zuerst",
  "One plan, including plans that can no longer be chosen": "Ein Tarif, auch wenn er nicht mehr wählbar ist",
  "Opens a checkout for the plan and returns the address of the payment page":
    "Öffnet eine Bestellung für den Tarif und liefert die Adresse der Zahlungsseite",

  // Billing
  "Events of the payment provider, signed by it": "Ereignisse des Zahlungsanbieters, von ihm signiert",
  "The limits and features of the account's plan": "Die Grenzen und Funktionen des Tarifs",
  "What a plan change costs now and at each renewal": "Was ein Tarifwechsel jetzt und bei jeder Verlängerung kostet",
  "What custom quotas cost": "Was eigene Kontingente kosten",
  "Changes the plan as previewed: upgrades immediately, downgrades at the end of the period unless chosen otherwise":
    "Wechselt den Tarif wie in der Vorschau: in einen größeren sofort, in einen kleineren am Ende des Zeitraums, sofern nichts anderes gewählt ist",
  "Withdraws a plan change scheduled for the end of the period":
    "Macht einen Tarifwechsel rückgängig, der für das Ende des Zeitraums geplant ist",
  "Changes to custom quotas, as previewed": "Wechselt zu eigenen Kontingenten, wie in der Vorschau",
  "The subscription, with its planned changes": "Das Abo mit seinen geplanten Änderungen",
  "200 while the subscription is active, 404 otherwise": "200, solange das Abo aktiv ist, sonst 404",
  "Called after the payment page. Checks with the provider if its event is late; never activates an unpaid subscription":
    "Wird nach der Zahlungsseite aufgerufen. Fragt beim Zahlungsanbieter nach, wenn dessen Ereignis auf sich warten lässt; aktiviert nie ein unbezahltes Abo",
  "Cancels at the end of the paid period; the customer types `accountName`":
    "Kündigt das Abo zum Ende des bezahlten Zeitraums; zur Bestätigung gibt der Kunde `accountName` ein",
  "What resubscribing charges now, to which card, and the next payment":
    "Was beim Fortsetzen des Abos jetzt abgebucht wird und von welcher Karte, und die nächste Zahlung",
  "Keeps or restores the subscription; returns `url` if the customer has to pay first":
    "Nimmt die Kündigung zurück oder setzt das Abo fort; liefert `url`, wenn der Kunde zuerst bezahlen muss",
  "While past due, retries the card now; with `shown`, the confirmed amount, only if that amount is still due":
    "Versucht, eine überfällige Zahlung jetzt von der Karte abzubuchen; mit `shown`, dem bestätigten Betrag, nur dann, wenn er noch fällig ist",
  "Payments and attempts, newest first": "Zahlungen und Zahlungsversuche, neueste zuerst",
  "Invoices, newest first": "Rechnungen, neueste zuerst",
  "An invoice: its parties, period, lines and tax, and how it was paid or corrected":
    "Eine Rechnung: Aussteller und Empfänger, Leistungszeitraum, Positionen und Steuern, und wie sie bezahlt oder berichtigt wurde",
  "The invoice as PDF": "Die Rechnung als PDF",
  "Brand, last four digits and expiry of the card": "Marke, Endziffern und Ablaufdatum der Karte",
  "The provider's page for changing the card; each call returns a new URL":
    "Die Seite des Zahlungsanbieters, auf der sich die Karte wechseln lässt; jeder Aufruf liefert eine neue Adresse",
  "The next charge and its date": "Die nächste Zahlung und ihr Datum",
  "Name, address and VAT id on invoices": "Name, Anschrift und USt-IdNr. auf Rechnungen",
  "Changes name, address and VAT id on future invoices": "Ändert Namen, Anschrift und USt-IdNr. auf künftigen Rechnungen",

  // Closing the account
  "What stands in the way of closing the account, and for how long it could be reopened":
    "Was dem Schließen des Kontos im Weg steht, und wie lange es sich wieder öffnen ließe",
  "Close the account; confirmed by its name and a recently entered password. It is erased once it can't be reopened any more":
    "Schließt das Konto; bestätigt durch seinen Namen und ein kürzlich eingegebenes Passwort. Sobald es sich nicht mehr öffnen lässt, wird es gelöscht",
  "Reopen the closed account, whoever closed it, until its day and unless it is suspended or being erased; a workspace that was running comes back with its last backup, if its plan has not ended":
    "Öffnet das geschlossene Konto wieder, wer immer es geschlossen hat, bis zu seinem Tag und sofern es nicht gesperrt ist oder gelöscht wird; ein Workspace, der lief, kommt mit dem letzten Backup zurück, sofern sein Tarif nicht abgelaufen ist",

  // Node catalogue
  "The node catalogue in GraphQL: nodes by popularity and display name, with name, displayName, popularity, iconData and categories":
    "Der Node-Katalog in GraphQL: Nodes nach Beliebtheit und Anzeigename, mit name, displayName, popularity, iconData und categories",
  "A node's icon (SVG or PNG); it never changes for one version of the catalogue":
    "Das Symbol eines Nodes (SVG oder PNG); innerhalb einer Version des Katalogs ändert es sich nie",

  // Service
  "Feature flags and the settings the panel needs": "Feature-Flags und die Einstellungen, die das Panel braucht",

  // Development
  "Emails kept instead of being sent, newest first; absent in production and with SMTP_URL":
    "E-Mails, die aufbewahrt statt versendet werden, neueste zuerst; nicht im Produktivbetrieb und nicht mit SMTP_URL",
  "The service's time": "Die Zeit des Dienstes",
  "Moves the service's time forward and runs all work that becomes due; sessions stay signed in":
    "Stellt die Uhr des Dienstes vor und verarbeitet alles, was dadurch fällig wird; Sitzungen bleiben bestehen",
  "The failures that the payment sandbox simulates, and the webhooks it is holding back":
    "Welche Störungen die Zahlungs-Sandbox simuliert und welche Webhooks sie zurückhält",
  "Delays, duplicates, reorders or drops webhooks from now on; resends dropped or the newest ones; refunds a customer's newest invoice in full or in part, or simulates a chargeback for it":
    "Stellt Webhooks von jetzt an verspätet, doppelt, in anderer Reihenfolge oder gar nicht zu; sendet verworfene oder die neuesten erneut; erstattet die neueste Rechnung eines Kunden ganz oder teilweise oder simuliert eine Rückbuchung dazu",
};
