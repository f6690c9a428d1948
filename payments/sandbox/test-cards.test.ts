import { expect, test } from "vitest";
import { chargeCard, isExpired, passesLuhn, testCards, type KeptCard } from "./test-cards.ts";

test("every test card has a valid check digit, and no number is listed twice", () => {
  expect(testCards.filter(({ number }) => !passesLuhn(number))).toEqual([]);
  expect(new Set(testCards.map(({ number }) => number)).size).toBe(testCards.length);
});

test("a wrong or swapped digit is rejected", () => {
  expect(["4242424242424241", "4224424242424242", "1", ""].map(passesLuhn)).toEqual([false, false, false, false]);
});

test("a card is valid until the last moment of its month", () => {
  const card = { expiryMonth: 12, expiryYear: 2026 };
  expect(isExpired(card, new Date("2026-12-31T23:59:59Z"))).toBe(false);
  expect(isExpired(card, new Date("2027-01-01T00:00:00Z"))).toBe(true);
});

const card = (changes: Partial<KeptCard> = {}): KeptCard => ({
  brand: "visa",
  lastFour: "4242",
  expiryMonth: 12,
  expiryYear: 2030,
  behaviour: "pays",
  ...changes,
});
const charge = { at: new Date("2026-11-21T00:00:00Z"), amount: 100, occasion: "renewal", confirmed: false, failedBefore: 0 } as const;

test("a card that has since expired is declined permanently", () => {
  expect(chargeCard(card({ expiryMonth: 10, expiryYear: 2026 }), charge)).toEqual({
    kind: "declined",
    hard: true,
    reason: "The card has expired.",
  });
});

test("nothing to pay needs no card", () => {
  expect(chargeCard(null, { ...charge, amount: 0 }).kind).toBe("paid");
  expect(chargeCard(null, charge).kind).toBe("declined");
});

test("a card that recovers pays at the second attempt after the renewal", () => {
  const outcomes = [0, 1, 2].map((failedBefore) => chargeCard(card({ behaviour: "renewal-recovers" }), { ...charge, failedBefore }).kind);
  expect(outcomes).toEqual(["declined", "declined", "paid"]);
});
