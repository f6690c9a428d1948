/** What the suite of payment providers needs beside the provider itself: its customers, its time, and its webhooks. */
import type { PaymentProvider } from "#payments/payment-provider.ts";

/**
 * What a card does, whatever its number is at the provider. `confirm-first`: 3-D Secure at the first payment only.
 * `confirm-always`: at each, so that renewals fail. `renewal-soft`, `renewal-hard`: pays while the customer is there, and is
 * refused at renewals and at tries after them, for now or for good.
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

export interface SigningOptions {
  at: Date;
  /** `previous`: of a secret that was replaced a moment ago and still counts. `unknown`: of nobody's. */
  secret: "current" | "previous" | "unknown";
}

/** One provider with one world behind it, nobody in it yet. Its clock stands still until it is moved. */
export interface ProviderHarness extends AsyncDisposable {
  /** Checks webhooks by two secrets: the current one and the one before it. */
  provider: PaymentProvider;
  now(): Date;
  /** Moves the provider's clock; renewals, tries, pauses and ends in between have happened when it resolves. */
  advance(ms: number): Promise<void>;
  /** Pays at the checkout's page. With a card that is to be confirmed, the customer says `answer` to their bank (confirm). */
  pay(checkout: { checkoutId: string; url: string }, card: SuiteCard, answer?: "confirm" | "fail"): Promise<"paid" | "declined">;
  /** Enters another card at the page that `changeCardUrl` gave. */
  enterCard(url: string, card: SuiteCard): Promise<"kept" | "declined">;
  /** Confirms at the address of a PaymentActionRequired. */
  confirm(url: string): Promise<void>;
  /** What the provider has sent since this was last asked, in its order; real deliveries, as they came. */
  takeWebhooks(): Promise<RawWebhook[]>;
  /** Signs a body as the provider would. */
  sign(body: Buffer, options: SigningOptions): Readonly<Record<string, string>>;
  /** A body of a kind of event that nobody here knows. */
  unknownEvent(): Buffer;
  /** Lets the provider say a status that nobody knows of a subscription. */
  setUnknownStatus(subscriptionId: string): Promise<void>;
  /** Gives the money of the newest paid invoice back. */
  refundNewest(customerId: string): Promise<void>;
  /** People at the provider agree to the refunds that wait for them, where any do. */
  agreeToRefunds(): Promise<void>;
  /** Lets the customer's bank take the money of the newest paid invoice back. */
  disputeNewest(customerId: string): Promise<void>;
  /** When an unpaid subscription is paused, at the latest, after its first failed payment. */
  pausedAfterMs: number;
  /** False: the provider tries a refused card again by its own plan only, which it does not tell; its customers pay at its page. */
  triesOnRequest: boolean;
  /** False: the provider cannot close a page that waits for its customer; ours does not show it any more. */
  closesPages: boolean;
  /** How far a prorated sum may be from one that is exact to the second: minor units, tax included. */
  prorationTolerance: number;
}
