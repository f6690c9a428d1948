/** What the payment provider suite needs besides the provider: its customers, its clock and its webhooks. */
import type { PaymentProvider } from "#payments/payment-provider.ts";

/**
 * What a card does, whatever its number at the provider. `confirm-first`: 3-D Secure at the first payment only.
 * `confirm-always`: at every payment, so renewals fail. `renewal-soft`, `renewal-hard`: pays while the customer is present, and
 * is declined at renewals and their retries, for now or permanently.
 */
export type SuiteCard =
  | "visa"
  | "mastercard"
  | "declined"
  | "insufficient-funds"
  | "expired"
  | "confirm-first"
  | "confirm-always"
  | "renewal-soft"
  | "renewal-hard";

export interface RawWebhook {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

interface SigningOptions {
  at: Date;
  /** `previous`: a recently replaced secret that still counts. `unknown`: a secret that was never ours. */
  secret: "current" | "previous" | "unknown";
}

/** One provider over a new, empty world. Its clock does not run; tests move it. */
export interface ProviderHarness extends AsyncDisposable {
  /** Checks webhooks with two secrets: the current and the previous one. */
  provider: PaymentProvider;
  now(): Date;
  /** Moves the provider's clock; when it resolves, the renewals, retries, pauses and ends in between have happened. */
  advance(ms: number): Promise<void>;
  /** Pays at the checkout page. For a card that needs confirmation, `answer` is the customer's answer to their bank (default: confirm). */
  pay(checkout: { checkoutId: string; url: string }, card: SuiteCard, answer?: "confirm" | "fail"): Promise<"paid" | "declined">;
  /** Enters a new card at the page from `changeCardUrl`. */
  enterCard(url: string, card: SuiteCard): Promise<"kept" | "declined">;
  /** Confirms at the address from a PaymentActionRequired. */
  confirm(url: string): Promise<void>;
  /** The webhooks sent since the last call, in order and as delivered. */
  takeWebhooks(): Promise<RawWebhook[]>;
  /** Signs a body as the provider would. */
  sign(body: Buffer, options: SigningOptions): Readonly<Record<string, string>>;
  /** The body of an event of an unknown type. */
  unknownEvent(): Buffer;
  /** Gives a subscription an unknown status. */
  setUnknownStatus(subscriptionId: string): Promise<void>;
  /** Refunds the newest paid invoice. */
  refundNewest(customerId: string): Promise<void>;
  /** The provider's staff approve pending refunds, if there are any. */
  agreeToRefunds(): Promise<void>;
  /** The customer's bank takes back the money of the newest paid invoice. */
  disputeNewest(customerId: string): Promise<void>;
  /** The longest time from the first failed payment until an unpaid subscription is paused. */
  pausedAfterMs: number;
  /** False: the provider retries a refused card only on its own, undisclosed schedule; its customers pay at its page. */
  triesOnRequest: boolean;
  /** False: the provider cannot close a page that waits for its customer; our page stops showing it. */
  closesPages: boolean;
  /** How far a prorated sum may differ from one that is exact to the second: minor units, including tax. */
  prorationTolerance: number;
}
