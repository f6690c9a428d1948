/** Calls of pages that nobody sees first: fetched with the first of them, so that the sign-in page does not carry them. */
import type { Call, Routes } from "./calls.ts";

export const lateCalls = {
  confirmPassword: { method: "POST", path: "/auth/confirm-password" },
  listPlans: { method: "GET", path: "/v1/paddle/plans" },
  getPlan: { method: "GET", path: "/v1/paddle/plan/:id" },
  generatePayLink: { method: "POST", path: "/v1/paddle/plan/:id/generatePayLink" },
  completeCheckout: { method: "POST", path: "/account/complete-checkout" },
  getSubscription: { method: "GET", path: "/account/subscription" },
  getUserPlan: { method: "GET", path: "/user/plan" },
  isBillingActive: { method: "HEAD", path: "/account/billing/active" },
  getPayments: { method: "GET", path: "/account/payments" },
  getTransactions: { method: "GET", path: "/account/transactions" },
  getInvoice: { method: "GET", path: "/account/transactions/:id/invoice" },
  getPaymentInformation: { method: "GET", path: "/account/payment-information" },
  changeCard: { method: "POST", path: "/account/payment-information/change" },
  getNextPayment: { method: "GET", path: "/account/plan/next-payment" },
  previewChange: { method: "POST", path: "/account/plan/change/preview" },
  changePlan: { method: "POST", path: "/account/plan/change" },
  previewCustomChange: { method: "POST", path: "/account/plan/change/custom/preview" },
  changeCustomPlan: { method: "PATCH", path: "/account/plan/change/custom" },
  cancelScheduledChange: { method: "DELETE", path: "/account/plan/change" },
  cancelSubscription: { method: "POST", path: "/account/billing/cancel" },
  resubscribe: { method: "POST", path: "/account/billing/resubscribe" },
  retryPayment: { method: "POST", path: "/account/billing/retry" },
  getBillingDetails: { method: "GET", path: "/account/billing/details" },
  saveBillingDetails: { method: "PUT", path: "/account/billing/details" },
} as const satisfies { [Name in keyof Routes]?: Call<Name> };

export type LateCallName = keyof typeof lateCalls & keyof Routes;
