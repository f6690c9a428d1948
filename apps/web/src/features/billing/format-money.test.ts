import { expect, test } from "vitest";
import { currencyLabel, formatMoney, formatPrice } from "./format-money.ts";

test.each([
  [6000, "USD", "$60.00", "$60"],
  [6050, "USD", "$60.50", "$60.50"],
  [-420, "EUR", "-€4.20", "-€4.20"],
  [0, "USD", "$0.00", "$0"],
  [900, "JPY", "¥900", "¥900"],
  [1234567, "KWD", "KWD 1,234.567", "KWD 1,234.567"],
])("%d minor units of %s are %s on an invoice and %s on a price tag", (amount, currency, invoice, tag) => {
  // Intl puts a no-break space behind codes.
  expect(formatMoney({ amount, currency }).replace("\u00a0", " ")).toBe(invoice);
  expect(formatPrice({ amount, currency }).replace("\u00a0", " ")).toBe(tag);
});

test("a currency is named by its code, and its sign where it has one", () => {
  expect(currencyLabel("EUR")).toBe("EUR, €");
  expect(currencyLabel("CHF")).toBe("CHF");
});
