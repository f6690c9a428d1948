/** Customers at Stripe: their card, their address, their tax ids. */
import type Stripe from "stripe";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { type CheckoutRequest, ProviderRefusal } from "../payment-provider.ts";
import { asked } from "./stripe-errors.ts";
import { sameTaxId, taxIdFor, type StripeTaxId } from "./stripe-tax-ids.ts";
import { expanded, idOf } from "./stripe-views.ts";
import type { World } from "./stripe-world.ts";

/**
 * Stripe's checkout makes a card the subscription's own, and its portal makes another one the customer's, which is charged only where the
 * subscription has none. The newer of both is what the customer wants: where that is the customer's, the subscription's is cleared. Expects
 * both expanded; true where something was changed.
 */
export async function useNewestCard({ stripe }: World, subscription: Stripe.Subscription): Promise<boolean> {
  const own = expanded(subscription.default_payment_method);
  const common = expanded(expanded(subscription.customer as string | Stripe.Customer)?.invoice_settings.default_payment_method);
  if (!own || !common || own.id === common.id || common.created < own.created || subscription.status === "canceled") return false;
  await asked(() => stripe.subscriptions.update(subscription.id, { default_payment_method: "" }));
  return true;
}

/** A schedule's phases are charged from the customer's card alone, while the checkout's is the subscription's: so the newer of both becomes the customer's. Expects both expanded. */
export async function useCardForPhases(world: World, subscription: Stripe.Subscription): Promise<void> {
  const own = expanded(subscription.default_payment_method);
  const customer = expanded(subscription.customer as string | Stripe.Customer);
  if (!own || !customer || (await useNewestCard(world, subscription)) || idOf(customer.invoice_settings.default_payment_method) === own.id)
    return;
  await asked(() => world.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: own.id } }));
}

/** The customer of a checkout: the known one, or a new one. Their tax id is there before the first invoice is reckoned. */
export async function customerFor(
  world: World,
  { accountId, email, name, details, customerId }: CheckoutRequest,
  key: string,
): Promise<string> {
  const { stripe } = world;
  const known =
    customerId ??
    (
      await asked(() =>
        stripe.customers.create(
          { email, name: details?.name || name, metadata: { accountId }, ...(details && { address: addressOf(details) }) },
          { idempotencyKey: `${key}:customer` },
        ),
      )
    ).id;
  // An id that Stripe refuses keeps nobody from paying: they are asked for one at the page as well.
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

/** Where only a country is given, the rest of what Stripe has stays, unless it is of another country. */
export async function saveDetails(world: World, customerId: string, details: BillingDetails): Promise<void> {
  const { stripe } = world;
  const { name, line1, line2, postalCode, city, country } = details;
  // First: where the id is refused, all stays as it was.
  await saveTaxId(world, customerId, details);
  const isCountryOnly = !line1 && !line2 && !postalCode && !city;
  await asked(async () => {
    const before = isCountryOnly ? await stripe.customers.retrieve(customerId) : null;
    const isKept = before && !before.deleted && before.address?.country === country;
    await stripe.customers.update(customerId, { ...(name && { name }), ...(!isKept && { address: addressOf(details) }) });
  });
}

/** The new id first: a refused one leaves the old where it is. An id of a country whose ids Stripe does not know is only on our invoices. */
async function saveTaxId({ stripe }: World, customerId: string, { country, vatId }: BillingDetails): Promise<void> {
  const wanted: StripeTaxId | null = vatId ? taxIdFor(country, vatId) : null;
  await asked(async () => {
    const { data } = await stripe.customers.listTaxIds(customerId, { limit: 10 });
    const isThere = (taxId: Stripe.TaxId) => wanted !== null && taxId.type === wanted.type && sameTaxId(taxId.value, wanted.value);
    if (wanted && !data.some(isThere)) await stripe.customers.createTaxId(customerId, wanted);
    for (const taxId of data) if (!isThere(taxId)) await stripe.customers.deleteTaxId(customerId, taxId.id);
  });
}
