import { expect, test } from "vitest";
import { currencyLabel, formatCharge, formatPrice } from "./format-price.ts";

test.each([
  [6000, "USD", "$60"],
  [6050, "USD", "$60.50"],
  [120_000, "EUR", "€1,200"],
  [-500, "EUR", "-€5"],
  [0, "USD", "$0"],
  [900, "JPY", "¥900"],
])("%d minor units of %s are %s on a price tag", (amount, currency, tag) => expect(formatPrice({ amount, currency })).toBe(tag));

test("a currency is shown by its code, and by its sign if it has one", () => {
  expect(currencyLabel("EUR")).toBe("EUR, €");
  expect(currencyLabel("CHF")).toBe("CHF");
});

test("a charged amount names its currency once", () => {
  expect(formatCharge({ amount: 7140, currency: "USD" })).toBe("$71.40 USD");
  expect(formatCharge({ amount: 7140, currency: "CAD" })).toBe("$71.40 CAD");
  expect(formatCharge({ amount: 7140, currency: "CHF" }).match(/CHF/g)).toHaveLength(1);
});
