/** The words of the sandbox's pages. They follow the panel's language: the cookie with that choice belongs to the same host. */
import { requestedLanguage, type Language } from "#contract/accounts/language.ts";
import { formatMoney } from "../../ledger/money-math.ts";
import { periodWord } from "../../ledger/items.ts";
import type { Cycle } from "../../ledger/billing-cycle.ts";
import type { TestCard } from "../test-cards.ts";
import { german } from "./words.de.ts";

export const english = {
  language: "en" as Language,
  money: (amount: number, currency: string): string => formatMoney(amount, currency),
  day: (at: Date): string => new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(at),
  period: (cycle: Cycle): string => periodWord(cycle),
  /** A sentence, a line or a tax that the sandbox wrote into a row. */
  said: (text: string): string => text,
  /** The method or card that is kept, as it is named within a sentence. */
  card: (brand: string, lastFour: string): string => `${brand} ending in ${lastFour}`,
  genericCard: "the card",
  yourCard: "your card",
  testCard: ({ title }: TestCard): string => title,

  skip: "Skip to content",
  badge: "Sandbox",
  badgeText: "No real card is charged",
  back: "Back",
  backTo: (merchant: string): string => `Back to ${merchant}`,
  goBack: "Go back",
  continue: "Continue",
  pending: "Just a moment…",

  gone: { title: "This page has expired", text: "The page is no longer available. Nothing was charged. Go back and start again." },
  done: { title: "This is already done", text: "It was completed and will not be repeated." },
  trouble: { title: "Something went wrong", text: "Nothing was charged. Go back and try again." },

  invalidFields: (count: number): string =>
    `${count === 1 ? "One field is not valid." : `${count} fields are not valid.`} Nothing was charged.`,
  errors: {
    numberMissing: "Enter the card number.",
    numberInvalid: "This card number is not valid. Check the digits.",
    notATestCard: "This is not a test card. Choose one from the list. Real cards are not accepted here.",
    expiryMissing: "Enter the month and year on the card.",
    expiryInvalid: "Enter the month and year shown on the card, such as 04 / 31.",
    expired: "This card has expired.",
    codeMissing: "Enter the security code.",
    codeInvalid: (digits: number): string => `The security code of this card has ${digits} digits.`,
    nameMissing: "Enter the name on the card.",
    countryMissing: "Choose your country.",
    streetMissing: "Enter the street and number: an invoice of this sum must name your address.",
    cityMissing: "Enter the city: an invoice of this sum must name your address.",
    vatIdInvalid: (country: string): string => `This is not a valid VAT ID for ${country}. Correct it, or leave the field empty.`,
  },

  form: {
    optional: "optional",
    number: "Card number",
    expiry: "Expiry",
    expiryForm: "MM / YY",
    code: "Security code",
    name: "Name on card",
    payByCard: "Pay by card",
    testCards: "Test cards",
    testCardsHint: "Choose one to fill it in. Use any future expiry date and any security code.",
  },

  checkout: {
    title: (plan: string): string => `Subscribe to ${plan}`,
    renews: (day: string, period: string): string => `Renews on ${day}, then ${period} until you cancel.`,
    payment: "Payment",
    email: "Email",
    payWith: "Pay with",
    orByCard: "or pay by card",
    address: "Billing address",
    street: "Street and number",
    postalCode: "Postal code",
    city: "City",
    vatId: "VAT ID",
    vatIdHint: "For businesses in the European Union.",
    country: "Country",
    chooseCountry: "Choose…",
    hint: "This is a sandbox payment page. It accepts test cards only.",
    subscribe: "Subscribe",
    pay: (sum: string): string => `Pay ${sum}`,
    included: "(included)",
    credit: "Account credit",
    dueToday: "Due today",
    notConfirmed: "Your bank did not confirm the payment. Nothing was charged. Try again, or use another card.",
    changed: "The total has changed because of your country. Check it, then pay again.",
    declined: (reason: string): string => `${reason} Nothing was charged. Try again, or use another card.`,
  },

  cardPage: {
    title: "Change your card",
    current: (card: string): string => `Your current payment method is ${card}.`,
    none: "You have no card on file.",
    open: (sum: string): string => `${sum} is due and will be charged to the new card.`,
    use: "Use",
    orAnother: "or another card",
    save: "Save card",
    saveAndPay: (sum: string): string => `Save card and pay ${sum}`,
    notConfirmed: "Your bank did not confirm the card. Your card was not changed.",
    declined: (reason: string): string => `${reason} Your card was not changed. Try another card.`,
  },

  bank: {
    title: "Confirm with your bank",
    name: "Your bank (sandbox)",
    heading: "Is this you?",
    payment: (sum: string, merchant: string, card: string): string => `Confirm a payment of ${sum} to ${merchant} with ${card}.`,
    card: (merchant: string, card: string): string => `Allow ${merchant} to charge ${card}.`,
    confirm: "Confirm",
    refuse: "This wasn't me",
    declined: "The payment was declined",
    declinedText: (reason: string): string => `${reason} Nothing was charged.`,
  },
};

export type Words = typeof english;

const all: Record<Language, Words> = { en: english, de: german };

/** In the language of the panel's reader: the choice kept in a cookie, else the browser's. */
export const wordsFor = ({ headers }: { headers: Parameters<typeof requestedLanguage>[0] }): Words =>
  all[requestedLanguage(headers) ?? "en"];
