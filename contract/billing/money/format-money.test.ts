import { expect, test } from "vitest";
import { formatMoney } from "./format-money.ts";

test.each([
  [2400, "USD", "$24.00"],
  [-550, "EUR", "-€5.50"],
  [5, "EUR", "€0.05"],
  [0, "USD", "$0.00"],
  [2400, "JPY", "¥2,400"],
  [123456789, "KWD", "KWD 123,456.789"],
  [7, "KWD", "KWD 0.007"],
  // Browsers' own tables have no decimals for these.
  [499000, "HUF", "Ft 4,990.00"],
  [1234567, "IQD", "IQD 1,234.567"],
  [5000, "ISK", "kr 5,000"],
  [9007199254740991, "USD", "$90,071,992,547,409.91"],
])("%i minor units of %s are %s", (amount, currency, text) => {
  expect(formatMoney({ amount, currency }).replaceAll("\u00a0", " ")).toBe(text);
});
