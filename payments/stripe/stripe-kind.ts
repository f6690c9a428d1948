/** Stripe as a provider that operators can choose. */
import { z } from "zod";
import { providerKey, secretsIn, type ProviderKind } from "../provider-kind.ts";
import { createStripeProvider, isTestKey } from "./create-stripe-provider.ts";

interface StripeKeys {
  secretKey: string;
  webhookSecrets: readonly string[];
  /** Stripe's documents are the invoices, with its numbers, instead of ours: a sale has one invoice. */
  issuesInvoices: boolean;
}

export const stripe: ProviderKind<StripeKeys> = {
  forProduction: true,
  isSeller: false,
  isTest: ({ secretKey }) => isTestKey(secretKey),
  settings: { STRIPE_SECRET_KEY: providerKey, STRIPE_WEBHOOK_SECRET: providerKey, STRIPE_INVOICES: z.enum(["slipway", "stripe"]) },
  required: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  secrets: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  readKeys: (given) => ({
    secretKey: given["STRIPE_SECRET_KEY"] ?? "",
    webhookSecrets: secretsIn(given["STRIPE_WEBHOOK_SECRET"]),
    issuesInvoices: given["STRIPE_INVOICES"] === "stripe",
  }),
  create: (keys, { clock }) => createStripeProvider({ ...keys, clock }),
};
