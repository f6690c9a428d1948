/** The payment provider and its keys. Providers and their settings are listed in payments/providers.ts. */
import { z } from "zod";
import { providerNames, providers, type PaymentsSetting, type ProviderName } from "#payments/providers.ts";
import type { ProviderKind } from "#payments/provider-kind.ts";
import { optional, withDefault } from "./setting-shapes.ts";

const kinds = Object.values(providers);

/** Every provider's settings, all optional: PAYMENTS decides which are required. */
export const paymentSettings = {
  PAYMENTS: withDefault(z.enum(providerNames), "sandbox"),
  /** `allowed`: production may use a provider's test mode, in which nobody pays. */
  TEST_PAYMENTS: optional(z.literal("allowed")),
  ...Object.fromEntries(kinds.flatMap(({ settings }) => Object.entries(settings)).map(([name, shape]) => [name, optional(shape)])),
};

/** The provider with its keys. Call it only if `paymentProblems` found no problem. */
export function readPayments(settings: { PAYMENTS: ProviderName }): PaymentsSetting {
  const provider = settings.PAYMENTS;
  return { provider, ...providers[provider].readKeys(settings as Readonly<Record<string, string | undefined>>) } as PaymentsSetting;
}

/** A line for each missing key, and for the sandbox or unannounced test keys in production, where no customer could pay. */
export function paymentProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const name = env["PAYMENTS"] || "sandbox";
  const kind = kinds[providerNames.indexOf(name as ProviderName)];
  const missing = (kind?.required ?? []).filter((setting) => !env[setting]).map((setting) => `${setting}: required by PAYMENTS=${name}`);
  if (missing.length > 0 || !kind || env["NODE_ENV"] !== "production") return missing;
  if (kind.forProduction) {
    const isTest = (kind as ProviderKind<unknown>).isTest(kind.readKeys(env));
    return isTest && env["TEST_PAYMENTS"] !== "allowed"
      ? [`PAYMENTS: the keys of ${name} are of its test mode, in which nobody pays; use live keys, or set TEST_PAYMENTS=allowed`]
      : [];
  }
  const fit = providerNames.filter((each) => providers[each].forProduction);
  return [`PAYMENTS: production does not use the payment sandbox; choose ${fit.join(" or ")}`];
}
