/** Where the provider's pages return to, below PUBLIC_URL. Free of zod, so that any page of the panel can use it. */

/** The outcome of a checkout as the payment page reports it; only the provider's event proves a payment. */
type CheckoutResult = "success" | "canceled";

/** The panel's page after the payment page. Its address contains the plan, so that a reload still knows what was bought. */
export const checkoutReturnPath = (planId: string, result: CheckoutResult): string =>
  `/account/checkout?${new URLSearchParams({ plan: planId, result })}`;
