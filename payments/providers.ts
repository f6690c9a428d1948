/** The list of payment providers. To add one, add a folder beside this file and a line in this list. */
import type { FastifyPluginAsync } from "fastify";
import { paddle } from "./paddle/paddle-kind.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import type { PageParts, ProviderKind, ProviderParts } from "./provider-kind.ts";
import { sandbox } from "./sandbox/sandbox-kind.ts";
import { stripe } from "./stripe/stripe-kind.ts";

/** By the name used in the PAYMENTS setting and stored with everything that the provider is asked about. */
export const providers = { sandbox, stripe, paddle };

type Kinds = typeof providers;
export type ProviderName = keyof Kinds;
export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]];

/** The chosen provider with its keys. */
export type PaymentsSetting = { [Name in ProviderName]: { provider: Name } & ReturnType<Kinds[Name]["readKeys"]> }[ProviderName];

const kindOf = ({ provider }: PaymentsSetting) => providers[provider] as ProviderKind<PaymentsSetting>;

/** The chosen provider's adapter. */
export const createPaymentProvider = (setting: PaymentsSetting, parts: ProviderParts): PaymentProvider =>
  kindOf(setting).create(setting, parts);

/** The page in the panel on which the chosen provider draws its checkout; null if it has its own pages. */
export const providerPage = (setting: PaymentsSetting, parts: PageParts): FastifyPluginAsync | null =>
  kindOf(setting).page?.(setting, parts) ?? null;
