/** What the adapter's files share: the library, the catalogue's prices, a cache of tax rates, and the clock. */
import type Stripe from "stripe";
import { ProviderRefusal } from "../payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import { asked, orNull } from "./stripe-errors.ts";
import type { FindPrices } from "./prices/stripe-prices.ts";

/** Tax rates by id. Stripe never changes a rate's percentage, so they stay valid. */
export type TaxRates = ReadonlyMap<string, Stripe.TaxRate>;

export interface World {
  stripe: Stripe;
  findPrices: FindPrices;
  taxRates: Map<string, Stripe.TaxRate>;
  clock: Clock;
  /** Whether its key is one of test mode. */
  isTest: boolean;
  readAt(): Date;
}

/** Expands everything that the adapter reads, in one answer. */
const expand = [
  "customer.invoice_settings.default_payment_method",
  "default_payment_method",
  "latest_invoice.payments",
  "schedule.phases.items.price",
];

export const findSubscription = ({ stripe }: World, id: string): Promise<Stripe.Subscription | null> =>
  orNull(() => stripe.subscriptions.retrieve(id, { expand }));

/** Refuses a subscription that Stripe does not know. */
export async function loadSubscription(world: World, id: string): Promise<Stripe.Subscription> {
  return found(await findSubscription(world, id), id);
}

export function found<Thing>(subscription: Thing | null, id: string): Thing {
  if (!subscription) throw new ProviderRefusal(`Stripe has no subscription ${id}.`);
  return subscription;
}

/** The rates that these invoices name; requests those not read yet. */
export async function readTaxRates({ stripe, taxRates }: World, invoices: readonly (Stripe.Invoice | null)[]): Promise<TaxRates> {
  const named = new Set(invoices.flatMap((invoice) => invoice?.total_taxes ?? []).flatMap((tax) => tax.tax_rate_details?.tax_rate ?? []));
  for (const id of named) if (!taxRates.has(id)) taxRates.set(id, await asked(() => stripe.taxRates.retrieve(id)));
  return taxRates;
}

/** All pages, newest first. */
export const allInvoices = (stripe: Stripe, customer: string): Promise<Stripe.Invoice[]> =>
  stripe.invoices.list({ customer, limit: 100, expand: ["data.payments"] }).autoPagingToArray({ limit: 1000 });
export const allCharges = (stripe: Stripe, customer: string): Promise<Stripe.Charge[]> =>
  stripe.charges.list({ customer, limit: 100, expand: ["data.refunds"] }).autoPagingToArray({ limit: 1000 });
