/** Customers at Stripe: their card, their address, their tax ids. */
import type Stripe from "stripe";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { type CheckoutRequest, ProviderRefusal } from "../payment-provider.ts";
import { asked, orNull } from "./stripe-errors.ts";
import { sameTaxId, taxIdFor, type StripeTaxId } from "./prices/stripe-tax-ids.ts";
import { customerOf, expanded, idOf } from "./stripe-views.ts";
import type { World } from "./stripe-world.ts";

/**
 * Stripe's checkout saves a card on the subscription. Its portal saves one on the customer, which is charged only if the subscription has
 * none. The newer of the two is the one the customer wants: if that is the customer's, this clears the subscription's. Expects
 * both expanded; returns true if something changed.
 */
export async function useNewestCard({ stripe }: World, subscription: Stripe.Subscription): Promise<boolean> {
  const own = expanded(subscription.default_payment_method);
  const common = expanded(customerOf(subscription)?.invoice_settings.default_payment_method);
  if (!own || !common || own.id === common.id || common.created < own.created || subscription.status === "canceled") return false;
  await asked(() => stripe.subscriptions.update(subscription.id, { default_payment_method: "" }));
  return true;
}

/**
 * A schedule's phases charge only the customer's card, while the checkout saves the subscription's, so the newer of the two becomes the
 * customer's. Expects both expanded.
 */
export async function useCardForPhases(world: World, subscription: Stripe.Subscription): Promise<void> {
  const own = expanded(subscription.default_payment_method);
  const customer = customerOf(subscription);
  if (!own || !customer || (await useNewestCard(world, subscription)) || idOf(customer.invoice_settings.default_payment_method) === own.id)
    return;
  await asked(() => world.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: own.id } }));
}

/** Deleted by staff in the dashboard: it keeps its invoices, but nothing can be sold to it or changed. */
async function isDeleted({ stripe }: World, customerId: string): Promise<boolean> {
  const customer = await orNull(() => stripe.customers.retrieve(customerId));
  return customer === null || customer.deleted === true;
}

/** The customer of a checkout, existing or new. Saves the tax id before the first invoice is calculated. */
export async function customerFor(
  world: World,
  { accountId, email, name, details, customerId }: CheckoutRequest,
  key: string,
): Promise<string> {
  const { stripe } = world;
  const known =
    (customerId !== null && !(await isDeleted(world, customerId)) ? customerId : null) ??
    (
      await asked(() =>
        stripe.customers.create(
          { email, name: details?.name || name, metadata: { accountId }, ...(details && { address: addressOf(details) }) },
          { idempotencyKey: `${key}:customer` },
        ),
      )
    ).id;
  // A refused id must not prevent paying: the checkout page asks for one as well.
  if (details?.vatId)
    await saveTaxId(world, known, details).catch((error: unknown) => {
      if (!(error instanceof ProviderRefusal)) throw error;
    });
  return known;
}

const addressOf = ({ line1, line2, postalCode, city, country }: BillingDetails) => ({
  line1,
  line2,
  postal_code: postalCode,
  city,
  country,
});

/** If only a country is given, the rest of Stripe's address stays unless it is in another country. */
export async function saveDetails(world: World, customerId: string, details: BillingDetails): Promise<void> {
  const { stripe } = world;
  const { name, line1, line2, postalCode, city, country } = details;
  // The next purchase makes a new customer with these details.
  if (await isDeleted(world, customerId)) return;
  // First, so that a refused id leaves everything as it was.
  await saveTaxId(world, customerId, details);
  const isCountryOnly = !line1 && !line2 && !postalCode && !city;
  await asked(async () => {
    const before = isCountryOnly ? await stripe.customers.retrieve(customerId) : null;
    const isKept = before && !before.deleted && before.address?.country === country;
    await stripe.customers.update(customerId, { ...(name && { name }), ...(!isKept && { address: addressOf(details) }) });
  });
}

/**
 * Adds the new id first, so a refused one leaves the old in place. An id from a country that Stripe has no single type
 * for appears only on our invoices.
 */
async function saveTaxId({ stripe }: World, customerId: string, { country, vatId }: BillingDetails): Promise<void> {
  const wanted: StripeTaxId | null = vatId ? taxIdFor(country, vatId) : null;
  await asked(async () => {
    const { data } = await stripe.customers.listTaxIds(customerId, { limit: 10 });
    const isThere = (taxId: Stripe.TaxId) => wanted !== null && taxId.type === wanted.type && sameTaxId(taxId.value, wanted.value);
    if (wanted && !data.some(isThere)) await stripe.customers.createTaxId(customerId, wanted);
    for (const taxId of data) if (!isThere(taxId)) await stripe.customers.deleteTaxId(customerId, taxId.id);
  });
}
