import { expect, test } from "vitest";
import { fromStripe } from "./stripe-money.ts";

test.each([
  [7140, "USD", 7140],
  [2400, "JPY", 2400],
  [12_340, "KWD", 12_340],
  [499_000, "HUF", 499_000],
  // Two decimals at Stripe, none in ISO 4217.
  [500_000, "ISK", 5000],
  [-350_000, "UGX", -3500],
  // No decimals at Stripe, two in ISO 4217.
  [5000, "MGA", 500_000],
])("Stripe's %i of %s are %i of our minor units", (amount, currency, ours) => {
  expect(fromStripe(amount, currency)).toEqual({ amount: ours, currency });
});
