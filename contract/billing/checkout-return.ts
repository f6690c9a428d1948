/** Where the provider's pages lead back to, below PUBLIC_URL. Without zod, so that the panel can read it anywhere. */

/** What became of a checkout, as far as the payment page knows: whether it is paid is only true once the provider says so. */
export type CheckoutResult = "success" | "canceled";

/** The panel's page after the payment page. The plan goes along, so that a reload still knows what was bought. */
export const checkoutReturnPath = (planId: string, result: CheckoutResult): string =>
  `/account/checkout?${new URLSearchParams({ plan: planId, result })}`;
