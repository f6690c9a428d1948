import { expect, test } from "vitest";
import { plainAmount } from "./plain-amount.ts";

test.each([
  [14280, "EUR", "142.80"],
  [5, "USD", "0.05"],
  [-550, "EUR", "-5.50"],
  [2400, "JPY", "2400"],
  [1234567, "KWD", "1234.567"],
])("%i of %s is typed as %s", (amount, currency, typed) => {
  expect(plainAmount({ amount, currency })).toBe(typed);
});
