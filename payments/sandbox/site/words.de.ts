/** The words of the sandbox's pages in German. */
import { inGerman } from "#contract/sentences/in-german.ts";
import { formatMoney } from "../../ledger/money-math.ts";
import type { Words } from "./words.ts";

const units = { day: "Tage", month: "Monate", yr: "Jahre" } as const;

/** By number; brand names stay as they are. */
const testCards: Readonly<Record<string, string>> = {
  "4242424242424242": "Visa, zahlt",
  "5555555555554444": "Mastercard, zahlt",
  "378282246310005": "American Express, zahlt",
  "6011111111111117": "Discover, zahlt",
  "6759649826438453": "Maestro, zahlt",
  "30569309025904": "Andere Marke, zahlt",
  "4000002500003155": "3-D Secure, erste Zahlung",
  "4000002760003184": "3-D Secure, jede Zahlung",
  "4000000000000002": "Abgelehnt",
  "4000000000009995": "Nicht gedeckt",
  "4000000000000069": "Abgelaufene Karte",
  "4000000000000127": "Falscher Sicherheitscode",
  "4000000000000341": "Zahlt jetzt, spätere Verlängerungen sind nicht gedeckt",
  "4000000000009979": "Zahlt jetzt, spätere Verlängerungen werden endgültig abgelehnt",
  "4000000000009987": "Zahlt jetzt, Verlängerungen erst beim zweiten neuen Versuch",
};

export const german: Words = {
  language: "de",
  money: (amount, currency) => formatMoney(amount, currency, "de"),
  day: (at) => new Intl.DateTimeFormat("de", { dateStyle: "long", timeZone: "UTC" }).format(at),
  period: ({ unit, count }) => {
    if (count === 1 && unit !== "day") return unit === "month" ? "monatlich" : "jährlich";
    return count === 1 ? "jeden Tag" : `alle ${count} ${units[unit]}`;
  },
  said: inGerman,
  card: (brand, lastFour) => `${brand} mit den Endziffern ${lastFour}`,
  genericCard: "eine Karte",
  yourCard: "Ihre Karte",
  testCard: ({ number, title }) => testCards[number] ?? title,

  skip: "Zum Inhalt springen",
  badge: "Sandbox",
  badgeText: "Es wird keine echte Karte belastet",
  back: "Zurück",
  backTo: (merchant) => `Zurück zu ${merchant}`,
  goBack: "Zurück",
  continue: "Weiter",
  pending: "Einen Moment …",

  gone: {
    title: "Diese Seite ist abgelaufen",
    text: "Die Seite ist nicht mehr verfügbar. Es wurde nichts abgebucht. Gehen Sie zurück, und beginnen Sie noch einmal.",
  },
  done: { title: "Das ist schon erledigt", text: "Der Vorgang ist abgeschlossen und wird nicht wiederholt." },
  trouble: {
    title: "Etwas ist schiefgelaufen",
    text: "Es wurde nichts abgebucht. Gehen Sie zurück, und versuchen Sie es noch einmal.",
  },

  invalidFields: (count) => `${count === 1 ? "Eine Angabe ist ungültig." : `${count} Angaben sind ungültig.`} Es wurde nichts abgebucht.`,
  errors: {
    numberMissing: "Geben Sie die Kartennummer ein.",
    numberInvalid: "Diese Kartennummer ist ungültig. Prüfen Sie die Ziffern.",
    notATestCard: "Das ist keine Testkarte. Wählen Sie eine aus der Liste. Echte Karten werden hier nicht angenommen.",
    expiryMissing: "Geben Sie Monat und Jahr von der Karte ein.",
    expiryInvalid: "Geben Sie Monat und Jahr so ein, wie sie auf der Karte stehen, zum Beispiel 04 / 31.",
    expired: "Diese Karte ist abgelaufen.",
    codeMissing: "Geben Sie den Sicherheitscode ein.",
    codeInvalid: (digits) => `Der Sicherheitscode dieser Karte hat ${digits} Ziffern.`,
    nameMissing: "Geben Sie den Namen auf der Karte ein.",
    countryMissing: "Wählen Sie Ihr Land.",
    streetMissing: "Geben Sie Straße und Hausnummer ein: Eine Rechnung über diesen Betrag muss Ihre Anschrift nennen.",
    cityMissing: "Geben Sie den Ort ein: Eine Rechnung über diesen Betrag muss Ihre Anschrift nennen.",
    vatIdInvalid: (country) =>
      `Das ist keine gültige USt-IdNr. für dieses Land: ${country}. Berichtigen Sie sie, oder lassen Sie das Feld leer.`,
  },

  form: {
    optional: "optional",
    number: "Kartennummer",
    expiry: "Gültig bis",
    expiryForm: "MM / JJ",
    code: "Sicherheitscode",
    name: "Name auf der Karte",
    payByCard: "Mit Karte bezahlen",
    testCards: "Testkarten",
    testCardsHint: "Wählen Sie eine aus, um sie einzutragen. Jedes künftige Ablaufdatum und jeder Sicherheitscode ist möglich.",
  },

  checkout: {
    title: (plan) => `${plan} abonnieren`,
    renews: (day, period) => `Verlängert sich am ${day}, dann ${period}, bis Sie kündigen.`,
    payment: "Zahlung",
    email: "E-Mail",
    payWith: "Bezahlen mit",
    orByCard: "oder mit Karte bezahlen",
    address: "Rechnungsanschrift",
    street: "Straße und Hausnummer",
    postalCode: "Postleitzahl",
    city: "Ort",
    vatId: "USt-IdNr.",
    vatIdHint: "Für Unternehmen in der Europäischen Union.",
    country: "Land",
    chooseCountry: "Auswählen …",
    hint: "Dies ist eine Zahlungsseite zum Testen. Sie nimmt nur Testkarten an.",
    subscribe: "Abonnieren",
    pay: (sum) => `${sum} bezahlen`,
    included: "(enthalten)",
    credit: "Guthaben des Kontos",
    dueToday: "Heute fällig",
    notConfirmed:
      "Ihre Bank hat die Zahlung nicht bestätigt. Es wurde nichts abgebucht. Versuchen Sie es noch einmal, oder verwenden Sie eine andere Karte.",
    changed: "Mit Ihrem Land hat sich der Betrag geändert. Prüfen Sie ihn, und bezahlen Sie dann noch einmal.",
    declined: (reason) => `${reason} Es wurde nichts abgebucht. Versuchen Sie es noch einmal, oder verwenden Sie eine andere Karte.`,
  },

  cardPage: {
    title: "Karte wechseln",
    current: (card) => `Ihre Zahlungsart ist zurzeit ${card}.`,
    none: "Es ist keine Karte hinterlegt.",
    open: (sum) => `${sum} sind fällig und werden von der neuen Karte abgebucht.`,
    use: "Wechseln zu",
    orAnother: "oder eine andere Karte",
    save: "Karte speichern",
    saveAndPay: (sum) => `Karte speichern und ${sum} bezahlen`,
    notConfirmed: "Ihre Bank hat die Karte nicht bestätigt. Ihre Karte wurde nicht gewechselt.",
    declined: (reason) => `${reason} Ihre Karte wurde nicht gewechselt. Versuchen Sie es mit einer anderen Karte.`,
  },

  bank: {
    title: "Bei Ihrer Bank bestätigen",
    name: "Ihre Bank (Sandbox)",
    heading: "Sind Sie das?",
    payment: (sum, merchant, card) => `Bestätigen Sie eine Zahlung von ${sum} an ${merchant}. Zahlungsart: ${card}.`,
    card: (merchant, card) => `Bestätigen Sie, dass ${merchant} Ihre Karte belasten darf: ${card}.`,
    confirm: "Bestätigen",
    refuse: "Das war ich nicht",
    declined: "Die Zahlung wurde abgelehnt",
    declinedText: (reason) => `${reason} Es wurde nichts abgebucht.`,
  },
};
