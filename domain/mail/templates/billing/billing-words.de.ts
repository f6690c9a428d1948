/** The mails about trials, payments and plans in German. */
import { arrangedNoticeDays, deletionAfterEndDays, deletionAfterPauseDays } from "#contract/billing/plans/plan-days.ts";
import type { BillingWords } from "./billing-words.ts";

type Dated = string;

const counted = (limit: number, one: string, many: string): string =>
  limit < 0 ? `unbegrenzt viele ${many}` : `${limit.toLocaleString("de")} ${limit === 1 ? one : many}`;

export const germanBillingWords: BillingWords = {
  limits: {
    executions: (limit: number) => counted(limit, "Ausführung", "Ausführungen"),
    workflows: (limit: number) => counted(limit, "aktiver Workflow", "aktive Workflows"),
    people: (limit: number) => counted(limit, "Person", "Personen"),
  },
  choosePlan: "Tarif wählen",
  openBilling: "Abrechnung öffnen",
  openBackups: "Backups ansehen",
  kept: "Bis dahin bleibt alles erhalten: Ihre Workflows, Zugangsdaten und Ausführungen.",
  lastBackup: (days: number) => `Ein letztes Backup wird danach ${days} Tage lang aufbewahrt.`,
  comesBack: (days: number) =>
    `Ein letztes Backup wird danach ${days} Tage lang aufbewahrt. Schließen Sie das Abo in dieser Zeit wieder ab, kommt daraus alles zurück.`,
  noWorkspace:
    "Ihr Konto hat keinen Workspace mehr, es wird also nichts gestoppt oder gelöscht. Mit einem Tarif können Sie einen neuen, leeren starten.",
  restoring: (made: Dated) =>
    `Ihr Workspace wird aus seinem letzten Backup vom ${made} wiederhergestellt. In wenigen Minuten ist er wieder online.`,
  startsEmpty: "Ein neuer, leerer Workspace startet unter derselben URL.",
  suspended: "Ihr Konto ist gesperrt, deshalb bleibt sein Workspace gestoppt, bis die Sperre endet. Eine Zahlung hebt sie nicht auf.",
  keepsRunning: "Ihr Workspace läuft vorerst weiter.",
  nothingCharged: "Ihnen wurde nichts berechnet, und Sie müssen nichts kündigen.",
  welcome: {
    subject: "Willkommen bei Slipway: Ihre Testphase hat begonnen",
    preview: "Ihr Workspace ist unterwegs.",
    heading: "Ihre Testphase hat begonnen",
    text: (days: number, ends: Dated) =>
      `Ihr Workspace ist unterwegs. Ihre Testphase dauert ${days} Tage, bis zum ${ends}. Sie brauchen keine Kreditkarte.`,
    limits: (limits: string) => `Enthalten sind ${limits}. Wenn Sie mehr brauchen, können Sie jederzeit einen Tarif wählen.`,
    after: `Endet die Testphase ohne Tarif, wird der Workspace gestoppt und ${deletionAfterEndDays} Tage später gelöscht.`,
    button: "Dashboard öffnen",
  },
  trialEnding: {
    subject: (when: string) => `Ihre Testphase endet ${when}`,
    preview: "Wählen Sie einen Tarif, damit Ihr Workspace weiterläuft.",
    text: (account: string, ends: Dated) =>
      `Die Testphase Ihres Workspace ${account} endet am ${ends}. Wählen Sie vorher einen Tarif, damit er ohne Unterbrechung weiterläuft.`,
    after: `Ohne Tarif wird der Workspace an diesem Tag gestoppt und ${deletionAfterEndDays} Tage später gelöscht.`,
    ofAccount: (account: string, ends: Dated) => `Die Testphase Ihres Kontos ${account} endet am ${ends}.`,
  },
  trialEnded: {
    subject: "Ihre Testphase ist beendet: Ihr Workspace ist gestoppt",
    preview: "Noch ist nichts verloren. Wählen Sie einen Tarif, um ihn wieder zu starten.",
    heading: "Ihre Testphase ist beendet",
    subjectAlone: "Ihre Testphase ist beendet",
    previewAlone: "Wählen Sie einen Tarif, um einen neuen Workspace zu starten.",
    ofAccount: (account: string) => `Die Testphase Ihres Kontos ${account} ist beendet.`,
    text: (account: string) =>
      `Ihr Workspace ${account} ist gestoppt: Workflows laufen nicht, und Webhooks werden nicht beantwortet. Wählen Sie einen Tarif, um ihn genau so wieder zu starten, wie er war.`,
  },
  deletion: (on: Dated) => `Ohne Tarif wird er am ${on} gelöscht.`,
  started: {
    subject: (plan: string) => `Ihr Tarif ${plan} ist aktiv`,
    preview: "Vielen Dank. Ihre Quittung kommt in einer eigenen E-Mail.",
    heading: (plan: string) => `Ihr Tarif ${plan} ist aktiv`,
    text: (plan: string, account: string) =>
      `Vielen Dank. ${account} hat jetzt den Tarif ${plan}, und die neuen Kontingente gelten sofort. Ihre Quittung kommt in einer eigenen E-Mail.`,
    renews: (on: Dated) => `Ihr Tarif wird am ${on} verlängert. Bis dahin können Sie ihn jederzeit ändern oder kündigen.`,
  },
  changed: {
    subject: (plan: string) => `Ihr Tarif ist jetzt ${plan}`,
    preview: "Die neuen Kontingente gelten sofort.",
    heading: (plan: string) => `Ihr Tarif ist jetzt ${plan}`,
    text: (account: string, plan: string) =>
      `${account} hat jetzt den Tarif ${plan}. Die neuen Kontingente gelten sofort. Arbeitsspeicher, Ausführungsprotokoll und Funktionen ändern sich beim nächsten Neustart.`,
    renews: (on: Dated) => `Die nächste Zahlung ist am ${on}.`,
    nothingBack: "Wenn Sie sofort in einen kleineren Tarif gewechselt sind, wird bereits bezahlte Zeit nicht erstattet.",
  },
  arranged: {
    subject: (plan: string) => `Ihr Tarif ${plan} ist aktiv`,
    preview: "Wir haben Ihren Tarif eingerichtet.",
    heading: (plan: string) => `Ihr Tarif ${plan} ist aktiv`,
    text: (plan: string, account: string) =>
      `${account} hat den Tarif ${plan}, wie mit Ihnen vereinbart. Er wird außerhalb dieses Panels abgerechnet.`,
    until: (on: Dated) => `Er endet am ${on}, wenn Sie ihn nicht mit uns verlängern. Wir erinnern Sie ${arrangedNoticeDays} Tage vorher.`,
  },
  arrangedEnding: {
    subject: (plan: string, when: string) => `Ihr Tarif ${plan} endet ${when}`,
    preview: "Schreiben Sie dem Support, um ihn zu verlängern.",
    text: (account: string, plan: string, ends: Dated) =>
      `Der Tarif ${plan} von ${account} endet am ${ends}. Um ihn zu verlängern, schreiben Sie dem Support.`,
    after: `Wird er nicht verlängert, wird der Workspace an diesem Tag gestoppt und ${deletionAfterPauseDays} Tage später gelöscht.`,
  },
  arrangedEnded: {
    subject: (plan: string) => `Ihr Tarif ${plan} ist beendet: Ihr Workspace ist gestoppt`,
    preview: "Noch ist nichts verloren. Wählen Sie einen Tarif, um ihn wieder zu starten.",
    heading: "Ihr Tarif ist beendet",
    subjectAlone: (plan: string) => `Ihr Tarif ${plan} ist beendet`,
    text: (account: string) =>
      `Ihr Workspace ${account} ist gestoppt: Workflows laufen nicht, und Webhooks werden nicht beantwortet. Schreiben Sie dem Support, um Ihren Tarif zu verlängern, oder wählen Sie einen anderen, um ihn genau so wieder zu starten, wie er war.`,
  },
  scheduled: {
    subject: (plan: string, on: Dated) => `Ihr Tarif wechselt am ${on} zu ${plan}`,
    preview: "Bis dahin ändert sich nichts.",
    heading: "Ihr Tarif wechselt",
    text: (plan: string, next: string, on: Dated) =>
      `Sie behalten den Tarif ${plan} bis zum ${on}, weil er bis dahin bezahlt ist. Danach haben Sie den Tarif ${next}.`,
    undo: "Bis dahin können Sie das auf der Abrechnungsseite rückgängig machen.",
  },
  ending: {
    subject: (when: string) => `Ihr Tarif endet ${when}`,
    preview: "Schließen Sie das Abo wieder ab, damit alles bleibt, wie es ist.",
    text: (account: string, plan: string, ends: Dated) => `Sie haben den Tarif ${plan} von ${account} gekündigt. Er endet am ${ends}.`,
    after:
      "Dann wird der Workspace gestoppt und mit seinen Workflows und Zugangsdaten gelöscht, sobald ein letztes Backup erstellt und geprüft ist.",
    keep: "Schließen Sie das Abo vorher wieder ab, damit alles bleibt, wie es ist.",
    button: "Workspace behalten",
  },
  failed: {
    subject: "Ihre Zahlung ist fehlgeschlagen",
    preview: "Ihr Workspace läuft weiter. Bitte prüfen Sie Ihre Karte.",
    previewSuspended: "Bitte prüfen Sie Ihre Karte.",
    heading: "Ihre Zahlung ist fehlgeschlagen",
    text: (plan: string, account: string) => `Die Zahlung für den Tarif ${plan} von ${account} ist fehlgeschlagen.`,
    retries: (dates: string) => `Wir versuchen es noch einmal am ${dates}. Gelingt keiner dieser Versuche, wird Ihr Workspace gestoppt.`,
    last: "Das war der letzte Versuch. Ohne Zahlung wird Ihr Workspace gestoppt.",
    text2:
      "Bitte prüfen Sie Ihre Karte, oder geben Sie eine andere an. Sie können die Zahlung auf der Abrechnungsseite auch sofort wiederholen.",
    button: "Zahlungsart aktualisieren",
  },
  action: {
    subject: "Ihre Bank bittet Sie, eine Zahlung zu bestätigen",
    preview: "Die Zahlung wartet auf Ihre Bestätigung.",
    heading: "Bestätigen Sie Ihre Zahlung",
    text: (plan: string, account: string) =>
      `Ihre Bank möchte, dass Sie die Zahlung für den Tarif ${plan} von ${account} bestätigen. Bis dahin wartet die Zahlung.`,
    retries: (dates: string) => `Ohne Ihre Bestätigung versuchen wir es noch einmal am ${dates}. Danach wird Ihr Workspace gestoppt.`,
    button: "Zahlung bestätigen",
  },
  recovered: {
    subject: "Zahlung erhalten: Ihr Tarif ist wieder aktiv",
    preview: "Vielen Dank.",
    heading: "Ihr Tarif ist wieder aktiv",
    text: (plan: string, account: string) => `Vielen Dank, die Zahlung für den Tarif ${plan} von ${account} ist eingegangen.`,
    starting: "War Ihr Workspace gestoppt, startet er jetzt.",
  },
  paused: {
    subject: "Ihr Abo ist pausiert: Ihr Workspace ist gestoppt",
    preview: "Keine Zahlung ist gelungen. Noch ist nichts verloren.",
    heading: "Ihr Abo ist pausiert",
    subjectAlone: "Ihr Abo ist pausiert",
    previewAlone: "Keine Zahlung ist gelungen.",
    ofAccount: (account: string) => `Für Ihr Konto ${account} ist keine Zahlung gelungen.`,
    text: (account: string) =>
      `Keine Zahlung ist gelungen, deshalb ist Ihr Workspace ${account} gestoppt: Workflows laufen nicht, und Webhooks werden nicht beantwortet. Schließen Sie das Abo wieder ab, um ihn genau so wieder zu starten, wie er war.`,
    button: "Abo wieder abschließen",
  },
  pauseRequested: {
    subject: "Ihr Abo ist wie gewünscht pausiert",
    preview: "Nichts wird abgebucht, und nichts wird gelöscht.",
    heading: "Ihr Abo ist pausiert",
    text: (plan: string) => `Der Tarif ${plan} wurde auf Wunsch pausiert. Bis er weitergeht, wird nichts abgebucht.`,
    stopped: (account: string) =>
      `Bis dahin ist Ihr Workspace ${account} gestoppt: Workflows laufen nicht, und Webhooks werden nicht beantwortet. Seine Daten bleiben erhalten.`,
  },
  pauseEnded: {
    subject: "Ihr Tarif ist wieder aktiv",
    preview: "Die Pause ist vorbei.",
    heading: "Ihr Tarif ist wieder aktiv",
    text: (plan: string) => `Die Pause ist vorbei, und der Tarif ${plan} ist wieder aktiv.`,
    starting: (account: string) => `Ihr Workspace ${account} startet jetzt.`,
  },
  cancelled: {
    subject: "Ihr Tarif ist gekündigt",
    preview: "Sie behalten ihn bis zum Ende des bezahlten Zeitraums.",
    heading: "Ihr Tarif ist gekündigt",
    text: (plan: string, ends: Dated) => `Sie behalten den Tarif ${plan} bis zum ${ends}. Ihnen wird nichts mehr berechnet.`,
    after: (ends: Dated) =>
      `Am ${ends} wird der Workspace gestoppt und mit seinen Workflows und Zugangsdaten gelöscht, sobald ein letztes Backup erstellt und geprüft ist.`,
    ofTrial: `Ihre Testphase läuft bis zu ihrem Ende. Dann wird der Workspace gestoppt und ${deletionAfterEndDays} Tage später gelöscht.`,
    undo: "Doch nicht? Schließen Sie das Abo vorher auf der Abrechnungsseite wieder ab, und alles bleibt, wie es ist.",
  },
  resubscribed: {
    subject: "Ihr Tarif läuft weiter",
    preview: "Ihre Kündigung wurde rückgängig gemacht.",
    heading: "Ihr Tarif läuft weiter",
    text: (plan: string) => `Ihre Kündigung wurde rückgängig gemacht. Sie behalten den Tarif ${plan}, und nichts wird gelöscht.`,
    renews: (on: Dated) => `Die nächste Zahlung ist am ${on}.`,
  },
  ended: {
    subject: "Ihr Tarif ist beendet: Ihr Workspace ist gestoppt",
    preview: "Noch ist nichts verloren. Schließen Sie das Abo wieder ab, um ihn zu starten.",
    heading: "Ihr Tarif ist beendet",
    text: (account: string) =>
      `Ihr Workspace ${account} ist gestoppt: Workflows laufen nicht, und Webhooks werden nicht beantwortet. Schließen Sie das Abo wieder ab, um ihn genau so wieder zu starten, wie er war.`,
    subjectAlone: "Ihr Tarif ist beendet",
    previewAlone: "Ihnen wird nichts mehr berechnet.",
    ofAccount: (plan: string, account: string) => `Der Tarif ${plan} von ${account} ist beendet.`,
    subjectDeleting: (account: string) => `Ihr Tarif ist beendet: Ihr Workspace ${account} wird gelöscht`,
    previewDeleting: "Vorher erstellen wir ein letztes Backup, damit Sie zurückkommen können.",
    textDeleting: (plan: string, account: string) =>
      `Der Tarif ${plan} von ${account} ist beendet, wie von Ihnen gewünscht. Der Workspace ist gestoppt. Wir erstellen und prüfen jetzt ein letztes Backup und löschen dann den Workspace mit seinen Workflows und Zugangsdaten.`,
    report: "Danach schreiben wir Ihnen, bis wann das Backup aufbewahrt wird.",
    button: "Abo wieder abschließen",
  },
  duplicate: {
    subject: "Sie haben zweimal bezahlt: Wir erstatten eine Zahlung",
    preview: "Sie behalten Ihren Tarif und müssen nichts tun.",
    heading: "Sie haben zweimal bezahlt, deshalb erstatten wir eine Zahlung",
    text: (plan: string, account: string) =>
      `Wir haben zwei Zahlungen für einen Tarif von ${account} erhalten. Sie behalten den Tarif ${plan}. Der zweite Kauf wurde storniert und wird nicht mehr berechnet.`,
    refunded: (total: string) =>
      `Wir erstatten ${total} auf die Karte oder das Konto, womit Sie bezahlt haben. Ihre Bank braucht dafür vielleicht einige Tage.`,
    after: "Beide Zahlungen stehen auf der Abrechnungsseite, die zweite als erstattet.",
  },
  warning: {
    subject: (account: string, when: string) => `Ihr Workspace ${account} wird ${when} gelöscht`,
    preview: "Wählen Sie vorher einen Tarif, oder exportieren Sie Ihre Daten.",
    heading: "Ihr Workspace wird gelöscht",
    text: (account: string, on: Dated) =>
      `Ihr Workspace ${account} wird am ${on} gelöscht. Wählen Sie vorher einen Tarif, um ihn genau so wieder zu starten, wie er war.`,
    export: "Auf der Seite „Export“ können Sie Ihre Workflows auch exportieren.",
  },
  deleted: {
    subject: (account: string) => `Ihr Workspace ${account} wurde gelöscht`,
    preview: (until: Dated) => `Sein letztes Backup wird bis zum ${until} aufbewahrt.`,
    previewAlone: "Ihr Konto bleibt bestehen.",
    heading: "Ihr Workspace wurde gelöscht",
    text: (account: string) => `Der Workspace ${account} wurde mit seinen Workflows und Zugangsdaten gelöscht. Ihr Konto bleibt bestehen.`,
    backup: (made: Dated, until: Dated) =>
      `Sein letztes Backup vom ${made} wird bis zum ${until} aufbewahrt. Wählen Sie bis dahin einen Tarif, kommt daraus alles zurück, unter derselben URL. Sie können es auf der Seite „Backups“ auch herunterladen.`,
    noBackup: "Es gibt kein Backup davon. Mit einem Tarif können Sie einen neuen, leeren Workspace starten.",
  },
  receipt: {
    subject: (number: string | null) => (number ? `Ihre Quittung: Rechnung ${number}` : "Ihre Quittung"),
    preview: (total: string) => `Wir haben ${total} erhalten. Vielen Dank.`,
    heading: "Vielen Dank für Ihre Zahlung",
    text: (total: string, on: Dated, card: string) => `Wir haben am ${on} ${total}${card && ` per ${card}`} erhalten.`,
    credit: (credit: string) => `${credit} wurden aus Ihrem Guthaben bezahlt.`,
    creditHeading: "Aus Ihrem Guthaben bezahlt",
    otherwise: (number: string) => `Rechnung ${number} ist bezahlt.`,
    creditOnly: (credit: string) => `${credit} wurden aus Ihrem Guthaben bezahlt. Ihre Karte wurde nicht belastet.`,
    attached: (number: string) => `Rechnung ${number} ist angehängt. Alle Ihre Rechnungen finden Sie auf der Abrechnungsseite.`,
  },
  correction: {
    refunded: {
      subject: (sum, number) => `Wir haben ${sum} erstattet: Gutschrift ${number}`,
      heading: (sum) => `Wir haben ${sum} erstattet`,
      text: (sum, corrects) =>
        `Wir haben ${sum} der Rechnung ${corrects} auf die Karte oder das Konto erstattet, von dem sie bezahlt wurde. Bis Ihre Bank das anzeigt, können einige Tage vergehen.`,
    },
    cancelled: {
      subject: (_sum, number) => `Rechnung storniert: Gutschrift ${number}`,
      heading: () => "Wir haben eine Rechnung storniert",
      text: (_sum, corrects) => `Die Rechnung ${corrects} ist vollständig storniert. Für sie ist nichts zu zahlen.`,
    },
    "refund-failed": {
      subject: (sum, number) => `Ihre Erstattung von ${sum} ist fehlgeschlagen: Nachbelastung ${number}`,
      heading: (sum) => `Ihre Erstattung von ${sum} ist fehlgeschlagen`,
      text: (sum, corrects) =>
        `Die Erstattung von ${sum} ist nicht auf Ihrer Karte oder Ihrem Konto angekommen. Die Gutschrift ${corrects} ist damit zurückgenommen. Sie müssen nichts zahlen. Wenden Sie sich an den Support, um die Erstattung auf anderem Weg zu erhalten.`,
    },
    credited: {
      subject: (_sum, number) => `Ihre Gutschrift ${number}`,
      heading: (sum) => `Sie haben ein Guthaben von ${sum}`,
      text: (sum, corrects) =>
        `Wir haben Ihnen ${sum}${corrects && ` für die Rechnung ${corrects}`} gutgeschrieben. Der Betrag wird erstattet oder mit der nächsten Zahlung verrechnet.`,
    },
    attached: (number) => `Das Dokument ${number} ist angehängt. Alle Ihre Rechnungen finden Sie auf der Abrechnungsseite.`,
  },
  renewal: {
    subject: (plan, on) => `Ihr Tarif ${plan} verlängert sich am ${on}`,
    preview: (total) => `Die Zahlung wird ${total} betragen.`,
    heading: (plan) => `Ihr Tarif ${plan} verlängert sich bald`,
    text: (plan, account, on, total) =>
      `Der Tarif ${plan} von ${account} verlängert sich am ${on}. Wir buchen dann ${total} inklusive Steuern von Ihrem Zahlungsmittel ab.`,
    change: "Bis dahin können Sie den Tarif auf der Abrechnungsseite ändern oder kündigen. Andernfalls müssen Sie nichts tun.",
  },
  cardExpires: {
    subject: "Ihre Karte läuft bald ab",
    preview: "Hinterlegen Sie eine neue Karte, damit Ihre nächste Zahlung gelingt.",
    heading: "Ihre Karte läuft bald ab",
    text: (card: string, expires: string, account: string) =>
      `Ihre Zahlungsart für ${account} (${card}) ist bis zum ${expires} gültig. Hinterlegen Sie vor der nächsten Zahlung eine neue Karte, damit Ihr Workspace weiterläuft.`,
    button: "Zahlungsart aktualisieren",
  },
};
