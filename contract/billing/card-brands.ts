/** The names of card brands, by the codes that payment providers give. */
export const cardBrands = {
  amex: "American Express",
  discover: "Discover",
  maestro: "Maestro",
  mastercard: "Mastercard",
  paypal: "PayPal",
  visa: "Visa",
} as const;
