/** A payment provider that cannot be reached: every call is refused, and nothing is ever charged. */
import { ProviderUnreachable, SignatureInvalid, type PaymentProvider } from "#payments/payment-provider.ts";

const refuse = (): Promise<never> => Promise.reject(new ProviderUnreachable("there is no payment provider"));

/** A provider that is always down. */
export const absentProvider: PaymentProvider = {
  name: "sandbox",
  isSeller: false,
  lockedBeforeRenewalMs: 0,
  createCheckout: refuse,
  readCheckout: refuse,
  expireCheckout: refuse,
  readSubscription: refuse,
  previewChange: refuse,
  change: refuse,
  cancelAtPeriodEnd: refuse,
  undoCancel: refuse,
  cancelNow: refuse,
  refundSubscription: refuse,
  previewResume: refuse,
  resume: refuse,
  retryPayment: refuse,
  changeCardUrl: refuse,
  saveDetails: refuse,
  saveEmail: refuse,
  listInvoices: refuse,
  invoiceUrl: refuse,
  nextPayment: refuse,
  listPage: refuse,
  keepNumbers: refuse,
  whoseEvent: refuse,
  readWebhook: () => {
    throw new SignatureInvalid("there is no payment provider");
  },
};
