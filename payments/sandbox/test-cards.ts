/** The card numbers that the sandbox accepts, and what each does. No bank is behind them. */
import { say } from "#contract/sentences/say.ts";
import type { Bank, Charge, ChargeOutcome } from "../ledger/charge.ts";
import type { ProviderCard } from "../payment-provider.ts";

export type CardBehaviour =
  | "pays"
  /** Declined permanently from the start. */
  | "declined"
  /** Declined for now. */
  | "insufficient-funds"
  | "expired"
  | "wrong-cvc"
  /** The bank asks for confirmation of the first payment only. */
  | "confirm-first"
  /** The bank asks for confirmation of every payment, so renewals fail without the customer. */
  | "confirm-always"
  /** Pays while the customer is present; renewals are declined for now. */
  | "renewal-soft"
  /** Pays while the customer is present; renewals are declined permanently. */
  | "renewal-hard"
  /** Like renewal-soft, until the second attempt after the renewal. */
  | "renewal-recovers";

export interface TestCard {
  number: string;
  title: string;
  brand: Exclude<ProviderCard["brand"], "paypal">;
  behaviour: CardBehaviour;
}

export const testCards: readonly TestCard[] = [
  { number: "4242424242424242", title: "Visa, pays", brand: "visa", behaviour: "pays" },
  { number: "5555555555554444", title: "Mastercard, pays", brand: "mastercard", behaviour: "pays" },
  { number: "378282246310005", title: "American Express, pays", brand: "amex", behaviour: "pays" },
  { number: "6011111111111117", title: "Discover, pays", brand: "discover", behaviour: "pays" },
  { number: "6759649826438453", title: "Maestro, pays", brand: "maestro", behaviour: "pays" },
  { number: "30569309025904", title: "Another brand, pays", brand: "generic", behaviour: "pays" },
  { number: "4000002500003155", title: "3-D Secure, first payment", brand: "visa", behaviour: "confirm-first" },
  { number: "4000002760003184", title: "3-D Secure, every payment", brand: "visa", behaviour: "confirm-always" },
  { number: "4000000000000002", title: "Declined", brand: "visa", behaviour: "declined" },
  { number: "4000000000009995", title: "Insufficient funds", brand: "visa", behaviour: "insufficient-funds" },
  { number: "4000000000000069", title: "Expired card", brand: "visa", behaviour: "expired" },
  { number: "4000000000000127", title: "Wrong security code", brand: "visa", behaviour: "wrong-cvc" },
  { number: "4000000000000341", title: "Pays now, later renewals lack funds", brand: "visa", behaviour: "renewal-soft" },
  { number: "4000000000009979", title: "Pays now, later renewals declined permanently", brand: "visa", behaviour: "renewal-hard" },
  { number: "4000000000009987", title: "Pays now, a renewal's second retry pays", brand: "visa", behaviour: "renewal-recovers" },
];

/** A stored card; the full number is never kept. */
export interface KeptCard extends ProviderCard {
  behaviour: CardBehaviour;
}

export const payPal: KeptCard = { brand: "paypal", lastFour: "", expiryMonth: null, expiryYear: null, behaviour: "pays" };

/** The test card with this number, or undefined: real cards are refused. */
export const findTestCard = (number: string): TestCard | undefined => testCards.find((card) => card.number === number);

/** ISO/IEC 7812: a check digit that catches wrong and swapped digits. */
export function passesLuhn(number: string): boolean {
  const digits = number.split("").toReversed().map(Number);
  const total = digits.reduce(
    (running, digit, index) => running + (index % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return digits.length >= 12 && total % 10 === 0;
}

/** A card is valid until the end of its month, in UTC. */
export const isExpired = ({ expiryMonth, expiryYear }: Pick<ProviderCard, "expiryMonth" | "expiryYear">, at: Date): boolean =>
  expiryMonth !== null && expiryYear !== null && at.getTime() >= Date.UTC(expiryYear, expiryMonth, 1);

const paid: ChargeOutcome = { kind: "paid" };
const declined = (hard: boolean, reason: string): ChargeOutcome => ({ kind: "declined", hard, reason });
const noFunds = declined(false, say("cardNoFunds"));
const confirm: ChargeOutcome = { kind: "confirm", reason: say("cardToConfirm") };

/** The bank's answer. A charge of zero always succeeds. */
export function chargeCard(card: KeptCard | null, charge: Charge): ChargeOutcome {
  if (charge.amount <= 0) return paid;
  if (!card) return declined(true, say("cardMissing"));
  if (isExpired(card, charge.at)) return declined(true, say("cardExpired"));
  return byBehaviour[card.behaviour](charge);
}

export const bankOf =
  (card: KeptCard | null): Bank =>
  (charge) =>
    chargeCard(card, charge);

const byBehaviour: Readonly<Record<CardBehaviour, (charge: Charge) => ChargeOutcome>> = {
  pays: () => paid,
  declined: () => declined(true, say("cardDeclined")),
  "insufficient-funds": () => noFunds,
  expired: () => declined(true, say("cardExpired")),
  "wrong-cvc": () => declined(true, say("cardWrongCode")),
  "confirm-first": ({ occasion, confirmed }) => (occasion === "new-card" && !confirmed ? confirm : paid),
  "confirm-always": ({ confirmed }) => (confirmed ? paid : confirm),
  "renewal-soft": ({ occasion }) => (occasion === "renewal" ? noFunds : paid),
  "renewal-hard": ({ occasion }) => (occasion === "renewal" ? declined(true, say("cardLost")) : paid),
  "renewal-recovers": ({ occasion, failedBefore }) => (occasion === "renewal" && failedBefore < 2 ? noFunds : paid),
};
