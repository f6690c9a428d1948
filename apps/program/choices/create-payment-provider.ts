/** The payment provider that the settings ask for. */
import type { PaymentProvider } from "#payments/payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { PaymentsSetting } from "../settings/payment-settings.ts";
import { createPaddleProvider } from "#payments/paddle/create-paddle-provider.ts";
import { createSandboxProvider } from "#payments/sandbox/create-sandbox-provider.ts";
import { createStripeProvider } from "#payments/stripe/create-stripe-provider.ts";
import { planPrices } from "#payments/sandbox/sums/plan-prices.ts";

export interface PaymentParts {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  publicUrl: string;
}

/** The sandbox signs its events with a key of this service's own. */
export const sandboxWebhookSecrets = (secrets: Secrets): readonly Buffer[] =>
  [secrets, ...(secrets.previous ? [secrets.previous] : [])].map((each) => each.derive("sandbox webhooks"));

/** The adapter of the provider that the operator chose. */
export function createPaymentProvider(setting: PaymentsSetting, { db, clock, secrets, publicUrl }: PaymentParts): PaymentProvider {
  switch (setting.provider) {
    case "sandbox":
      return createSandboxProvider({ db, clock, publicUrl, findPrice: planPrices(db), webhookSecrets: sandboxWebhookSecrets(secrets) });
    case "stripe":
      return createStripeProvider({ secretKey: setting.secretKey, webhookSecrets: setting.webhookSecrets, clock });
    case "paddle":
      return createPaddleProvider({
        apiKey: setting.apiKey,
        environment: setting.environment,
        webhookSecrets: setting.webhookSecrets,
        clock,
        publicUrl,
      });
  }
}
