/** Stripe as a provider that operators can choose. */
import { providerKey, secretsIn, type ProviderKind } from "../provider-kind.ts";
import { createStripeProvider } from "./create-stripe-provider.ts";

interface StripeKeys {
  secretKey: string;
  webhookSecrets: readonly string[];
}

export const stripe: ProviderKind<StripeKeys> = {
  forProduction: true,
  isSeller: false,
  settings: { STRIPE_SECRET_KEY: providerKey, STRIPE_WEBHOOK_SECRET: providerKey },
  required: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  secrets: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  readKeys: (given) => ({ secretKey: given["STRIPE_SECRET_KEY"] ?? "", webhookSecrets: secretsIn(given["STRIPE_WEBHOOK_SECRET"]) }),
  create: ({ secretKey, webhookSecrets }, { clock }) => createStripeProvider({ secretKey, webhookSecrets, clock }),
};
