/** What the adapter's parts share: the library, the catalogue's prices, the tax rates that were read, and the clock. */
import type Stripe from "stripe";
import { ProviderRefusal } from "../payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import { asked, orNull } from "./stripe-errors.ts";
import type { FindPrices } from "./stripe-prices.ts";

/** Tax rates by id; a rate's percentage never changes at Stripe, so that what was read is right for good. */
export type TaxRates = ReadonlyMap<string, Stripe.TaxRate>;

export interface World {
  stripe: Stripe;
  findPrices: FindPrices;
  taxRates: Map<string, Stripe.TaxRate>;
  clock: Clock;
  readAt(): Date;
}

/** Everything that the adapter looks at, in one answer. */
const expand = [
  "customer.invoice_settings.default_payment_method",
  "default_payment_method",
  "latest_invoice.payments",
  "schedule.phases.items.price",
];

export const findSubscription = ({ stripe }: World, id: string): Promise<Stripe.Subscription | null> =>
  orNull(() => stripe.subscriptions.retrieve(id, { expand }));

/** Refuses one that Stripe does not know. */
export async function loadSubscription(world: World, id: string): Promise<Stripe.Subscription> {
  return found(await findSubscription(world, id), id);
}

export function found<Thing>(subscription: Thing | null, id: string): Thing {
  if (!subscription) throw new ProviderRefusal(`Stripe knows no subscription ${id}.`);
  return subscription;
}

/** The rates that these invoices name; those not read yet are asked for. */
export async function readTaxRates({ stripe, taxRates }: World, invoices: readonly (Stripe.Invoice | null)[]): Promise<TaxRates> {
  const named = new Set(invoices.flatMap((invoice) => invoice?.total_taxes ?? []).flatMap((tax) => tax.tax_rate_details?.tax_rate ?? []));
  for (const id of named) if (!taxRates.has(id)) taxRates.set(id, await asked(() => stripe.taxRates.retrieve(id)));
  return taxRates;
}

/** Newest first, all pages. */
export const allInvoices = (stripe: Stripe, customer: string): Promise<Stripe.Invoice[]> =>
  stripe.invoices.list({ customer, limit: 100, expand: ["data.payments"] }).autoPagingToArray({ limit: 1000 });
export const allCharges = (stripe: Stripe, customer: string): Promise<Stripe.Charge[]> =>
  stripe.charges.list({ customer, limit: 100, expand: ["data.refunds"] }).autoPagingToArray({ limit: 1000 });
