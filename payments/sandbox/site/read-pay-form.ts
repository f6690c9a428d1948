/** Reads what a customer typed, with an error message for each invalid field. */
import type { BillingDetails } from "#contract/billing/billing.ts";
import { asOneLine } from "#contract/api/printable-text.ts";
import { isCountry } from "#contract/billing/countries.ts";
import { isVatIdOf, writeVatId } from "#contract/billing/vat-id.ts";
import { countryName } from "./pages/countries.ts";
import type { Words } from "./words.ts";
import { bearsVatId } from "../../ledger/sales-tax.ts";
import { findTestCard, isExpired, passesLuhn, type KeptCard } from "../test-cards.ts";

const cardFields = ["number", "expiry", "cvc", "name"] as const;
const placeFields = ["country", "line1", "postalCode", "city", "vatId"] as const;
export type PayField = (typeof cardFields)[number] | (typeof placeFields)[number];
export type PayForm = Record<PayField, string>;
export type PayErrors = Partial<Record<PayField, string>>;

export const emptyPayForm: PayForm = {
  number: "",
  expiry: "",
  cvc: "",
  name: "",
  country: "",
  line1: "",
  postalCode: "",
  city: "",
  vatId: "",
};

/** The fields as typed, truncated to a generous length. */
export function typedForm(body: Readonly<Record<string, string>>): PayForm {
  return Object.fromEntries(Object.keys(emptyPayForm).map((field) => [field, (body[field] ?? "").slice(0, 120)])) as PayForm;
}

const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, "");

/** The form's card, or its errors. Only test cards are accepted. */
export function readCard({ errors: said }: Words, form: PayForm, now: Date): { card: KeptCard } | { errors: PayErrors } {
  const number = digitsOf(form.number);
  const test = findTestCard(number);
  const expiry = readExpiry(form.expiry);
  const errors: PayErrors = {};
  if (number === "") errors.number = said.numberMissing;
  else if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) errors.number = said.numberInvalid;
  else if (!test) errors.number = said.notATestCard;
  if (form.expiry.trim() === "") errors.expiry = said.expiryMissing;
  else if (!expiry) errors.expiry = said.expiryInvalid;
  else if (isExpired(expiry, now)) errors.expiry = said.expired;
  const cvcLength = test?.brand === "amex" ? 4 : 3;
  if (form.cvc.trim() === "") errors.cvc = said.codeMissing;
  else if (!new RegExp(`^\\d{${cvcLength}}$`).test(form.cvc.trim())) errors.cvc = said.codeInvalid(cvcLength);
  if (form.name.trim() === "") errors.name = said.nameMissing;
  if (Object.keys(errors).length > 0 || !test || !expiry) return { errors };
  return { card: { brand: test.brand, lastFour: number.slice(-4), ...expiry, behaviour: test.behaviour } };
}

function readExpiry(text: string): { expiryMonth: number; expiryYear: number } | null {
  const [, month, year] = /^\s*(\d{1,2})\s*[/ -]?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? [];
  const expiryMonth = Number(month);
  if (!year || expiryMonth < 1 || expiryMonth > 12) return null;
  return { expiryMonth, expiryYear: Number(year.length === 2 ? `20${year}` : year) };
}

type Place = Pick<BillingDetails, "country" | "line1" | "postalCode" | "city" | "vatId">;

/** The buyer's place, or its errors. `isWhole`: with street and city. */
export function readPlace({ language, errors: said }: Words, form: PayForm, isWhole = false): { place: Place } | { errors: PayErrors } {
  const vatId = writeVatId(form.vatId);
  if (!isCountry(form.country)) return { errors: { country: said.countryMissing } };
  const errors: PayErrors = {};
  if (isWhole && form.line1.trim() === "") errors.line1 = said.streetMissing;
  if (isWhole && form.city.trim() === "") errors.city = said.cityMissing;
  const usesVatId = bearsVatId(form.country);
  if (usesVatId && vatId !== "" && !isVatIdOf(form.country, vatId)) errors.vatId = said.vatIdInvalid(countryName(form.country, language));
  if (Object.keys(errors).length > 0) return { errors };
  const { country } = form;
  const [line1, postalCode, city] = [form.line1, form.postalCode.trim().slice(0, 20), form.city.trim().slice(0, 100)].map(asOneLine) as [
    string,
    string,
    string,
  ];
  return { place: { country, line1, postalCode, city, vatId: usesVatId ? vatId : "" } };
}
