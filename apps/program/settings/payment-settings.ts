/** The payment provider and its keys. Providers and their settings are listed in payments/providers.ts. */
import { z } from "zod";
import { providerNames, providers, type PaymentsSetting, type ProviderName } from "#payments/providers.ts";
import { optional, withDefault } from "./setting-shapes.ts";

const kinds = Object.values(providers);

/** Every provider's settings, all optional: PAYMENTS decides which are required. */
export const paymentSettings = {
  PAYMENTS: withDefault(z.enum(providerNames), "sandbox"),
  ...Object.fromEntries(kinds.flatMap(({ settings }) => Object.entries(settings)).map(([name, shape]) => [name, optional(shape)])),
};

/** The provider with its keys. Call it only if `paymentProblems` found no problem. */
export function readPayments(settings: { PAYMENTS: ProviderName }): PaymentsSetting {
  const provider = settings.PAYMENTS;
  return { provider, ...providers[provider].readKeys(settings as Readonly<Record<string, string | undefined>>) } as PaymentsSetting;
}

/** A line for each missing key, and for the sandbox in production, where no customer could pay. */
export function paymentProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const name = env["PAYMENTS"] || "sandbox";
  const kind = kinds[providerNames.indexOf(name as ProviderName)];
  const missing = (kind?.required ?? []).filter((setting) => !env[setting]).map((setting) => `${setting}: required by PAYMENTS=${name}`);
  if (missing.length > 0 || kind?.forProduction !== false || env["NODE_ENV"] !== "production") return missing;
  const fit = providerNames.filter((each) => providers[each].forProduction);
  return [`PAYMENTS: production does not use the payment sandbox; choose ${fit.join(" or ")}`];
}
