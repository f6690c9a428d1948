/** The names of card brands, by payment providers' codes. */
export const cardBrands = {
  amex: "American Express",
  discover: "Discover",
  maestro: "Maestro",
  mastercard: "Mastercard",
  paypal: "PayPal",
  visa: "Visa",
} as const;
