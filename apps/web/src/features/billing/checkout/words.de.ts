import type { Translated } from "../../../words/spoken.ts";
import type { checkoutWords } from "./words.ts";

export const checkoutGerman = {
  page: "Bestellung",
  title: "Abo bestätigen",
  lead: "Als Nächstes geben Sie Ihre Zahlungsdaten auf der Seite des Zahlungsanbieters ein. Es wird nichts abgebucht, bevor Sie dort bestätigen.",
  plan: "Tarif",
  quotas: "Kontingente",
  price: "Preis",
  tax: "Umsatzsteuer",
  taxText: "Wird beim Bezahlen berechnet.",
  renews: "Verlängerung",
  renewsText:
    "{{period}}, das nächste Mal am {{date}}, wenn Sie heute bezahlen. Jederzeit kündbar. Was Sie bezahlt haben, behalten Sie bis zum Ende des Zeitraums.",
  due: "Heute fällig",
  dueText: "{{amount}} zuzüglich Umsatzsteuer",
  unit: { month: "Jeden Monat", yr: "Jedes Jahr", day: "Jeden Tag" },
  trial: "Ihre Testphase",
  trialText: "Endet, wenn Sie bezahlen. Ihr Workspace und alles darin bleiben erhalten.",
  submit: "Zahlungsdaten eingeben",
  pending: "Wird geöffnet …",
  failed: "Die Bestellung konnte nicht geöffnet werden.",
  waitingTitle: "Wir warten auf Ihre Zahlung",
  waitingText:
    "Der Zahlungsanbieter bestätigt sie meist innerhalb von Sekunden. Sie können diese Seite schließen. Ihr Tarif beginnt, sobald die Zahlung bestätigt ist.",
  waitingTry: "Prüfung {{attempt}} von {{most}}",
  doneTitle: "Willkommen bei {{plan}}",
  doneText: "Ihre Zahlung ist eingegangen. Die Quittung erhalten Sie per E-Mail.",
  stillTitle: "Ihre Zahlung ist noch nicht bestätigt",
  stillText:
    "Wenn Sie bezahlt haben, ändert sich Ihr Tarif, sobald der Zahlungsanbieter das bestätigt. Wir senden Ihnen dann eine E-Mail. Wenn nicht, wurde nichts abgebucht.",
  again: "Erneut prüfen",
  canceledTitle: "Die Bestellung wurde abgebrochen",
  canceledText: "Es wurde nichts abgebucht. Ihr Tarif ist unverändert.",
  canceledAgain: "Zurück zu den Tarifen",
  failureTitle: "Die Bestellung ist fehlgeschlagen",
  toDashboard: "Zum Dashboard",
  toBilling: "Zur Abrechnung",
  toPlans: "Tarif wählen",
  open: "Workspace öffnen",
} satisfies Translated<typeof checkoutWords>;
