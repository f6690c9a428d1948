/** The payment sandbox as a provider that operators can choose outside production. */
import type { Secrets } from "#platform/secrets.ts";
import type { ProviderKind } from "../provider-kind.ts";
import { createSandboxProvider } from "./create-sandbox-provider.ts";
import { planPrices } from "./plan-prices.ts";

/** The sandbox signs its events with a key derived from the service's secrets. */
export const sandboxWebhookSecrets = (secrets: Secrets): readonly Buffer[] =>
  [secrets, ...(secrets.previous ? [secrets.previous] : [])].map((each) => each.derive("sandbox webhooks"));

export const sandbox: ProviderKind<object> = {
  forProduction: false,
  isSeller: false,
  isTest: () => true,
  settings: {},
  required: [],
  secrets: [],
  readKeys: () => ({}),
  create: (_keys, { db, clock, secrets, publicUrl }) =>
    createSandboxProvider({ db, clock, publicUrl, findPrice: planPrices(db), webhookSecrets: sandboxWebhookSecrets(secrets) }),
};
