import { expect, test } from "vitest";
import { billingDetails } from "./billing.ts";
import { euCountries, isVatIdOf } from "./vat-id.ts";

const details = { name: "Acme", line1: "", line2: "", postalCode: "", city: "", country: "DE", vatId: "" };
const problemsOf = (country: string, vatId: string) =>
  billingDetails.safeParse({ ...details, country, vatId }).error?.issues.map(({ path, message }) => [path.join("."), message]);

test.each([
  ["DE", "de 123.456.789", "DE123456789"],
  ["GR", "EL123456789", "EL123456789"],
  ["AT", "ATU12345678", "ATU12345678"],
  ["NL", "NL123456789B01", "NL123456789B01"],
  ["IE", "IE1234567FA", "IE1234567FA"],
  ["FR", "FR12345678901", "FR12345678901"],
  ["GB", "XI123456789", "XI123456789"],
  ["CH", "CHE-123.456.789 MWST", "CHE123456789MWST"],
  ["NO", "123456789MVA", "123456789MVA"],
  ["AU", "12 345 678 901", "12345678901"],
  ["US", "", ""],
])("a business of %s may write its VAT id as %j", (country, typed, kept) => {
  expect(billingDetails.parse({ ...details, country, vatId: typed }).vatId).toBe(kept);
});

test.each([
  ["DE", "DE12345678"],
  ["DE", "FR12345678901"],
  ["DE", "123456789"],
  ["GR", "GR123456789"],
  ["AT", "AT12345678"],
  ["NL", "NL123456789"],
  ["FR", "FR1234567890"],
  ["SE", "SE123456789012"],
  ["AU", "<script>"],
])("for a business of %s, %j is not a VAT id", (country, vatId) => {
  expect(problemsOf(country, vatId)).toEqual([["vatId", "vat_id.invalid"]]);
});

test("each EU country has its own form of id, which no other country shares", () => {
  for (const country of euCountries) expect(isVatIdOf(country, `${country}1`)).toBe(false);
  for (const country of euCountries) expect(isVatIdOf(country, "ZZ123456789")).toBe(false);
});
