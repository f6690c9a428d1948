/** Reads what a customer typed, with an error message for each invalid field. */
import type { BillingDetails } from "#contract/billing/billing.ts";
import { isVatIdOf, writeVatId } from "#contract/billing/vat-id.ts";
import { countryName, isCountry } from "./pages/countries.ts";
import { bearsVatId } from "../sums/sales-tax.ts";
import { findTestCard, isExpired, passesLuhn, type KeptCard } from "../sums/test-cards.ts";

export const cardFields = ["number", "expiry", "cvc", "name"] as const;
export const placeFields = ["country", "postalCode", "vatId"] as const;
export type PayField = (typeof cardFields)[number] | (typeof placeFields)[number];
export type PayForm = Record<PayField, string>;
export type PayErrors = Partial<Record<PayField, string>>;

export const emptyPayForm: PayForm = { number: "", expiry: "", cvc: "", name: "", country: "", postalCode: "", vatId: "" };

/** The fields as typed, truncated to a generous length. */
export function typedForm(body: Readonly<Record<string, string>>): PayForm {
  return Object.fromEntries(Object.keys(emptyPayForm).map((field) => [field, (body[field] ?? "").slice(0, 120)])) as PayForm;
}

const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, "");

/** The form's card, or its errors. Only test cards are accepted. */
export function readCard(form: PayForm, now: Date): { card: KeptCard } | { errors: PayErrors } {
  const number = digitsOf(form.number);
  const test = findTestCard(number);
  const expiry = readExpiry(form.expiry);
  const errors: PayErrors = {};
  if (number === "") errors.number = "Enter the card number.";
  else if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) errors.number = "This card number is not valid. Check the digits.";
  else if (!test) errors.number = "This is not a test card. Choose one from the list. Real cards are not accepted here.";
  if (form.expiry.trim() === "") errors.expiry = "Enter the month and year on the card.";
  else if (!expiry) errors.expiry = "Enter the month and year shown on the card, such as 04 / 31.";
  else if (isExpired(expiry, now)) errors.expiry = "This card has expired.";
  const cvcLength = test?.brand === "amex" ? 4 : 3;
  if (form.cvc.trim() === "") errors.cvc = "Enter the security code.";
  else if (!new RegExp(`^\\d{${cvcLength}}$`).test(form.cvc.trim())) errors.cvc = `The security code of this card has ${cvcLength} digits.`;
  if (form.name.trim() === "") errors.name = "Enter the name on the card.";
  if (Object.keys(errors).length > 0 || !test || !expiry) return { errors };
  return { card: { brand: test.brand, lastFour: number.slice(-4), ...expiry, behaviour: test.behaviour } };
}

function readExpiry(text: string): { expiryMonth: number; expiryYear: number } | null {
  const [, month, year] = /^\s*(\d{1,2})\s*[/ -]?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? [];
  const expiryMonth = Number(month);
  if (!year || expiryMonth < 1 || expiryMonth > 12) return null;
  return { expiryMonth, expiryYear: Number(year.length === 2 ? `20${year}` : year) };
}

export type Place = Pick<BillingDetails, "country" | "postalCode" | "vatId">;

/** The buyer's place, or its errors. */
export function readPlace(form: PayForm): { place: Place } | { errors: PayErrors } {
  const vatId = writeVatId(form.vatId);
  if (!isCountry(form.country)) return { errors: { country: "Choose your country." } };
  const usesVatId = bearsVatId(form.country);
  if (usesVatId && vatId !== "" && !isVatIdOf(form.country, vatId))
    return { errors: { vatId: `This is not a valid VAT ID for ${countryName(form.country)}. Correct it, or leave the field empty.` } };
  return { place: { country: form.country, postalCode: form.postalCode.trim().slice(0, 20), vatId: usesVatId ? vatId : "" } };
}
