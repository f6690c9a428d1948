/** The seller on the tests' invoices. */
export const testSeller = {
  name: "Slipway Example GmbH",
  address: ["Musterstraße 1", "10115 Berlin"],
  country: "DE",
  vatId: "DE123456789",
  email: "help@s.example",
};
