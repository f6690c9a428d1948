/**
 * Paddle's customers. Paddle allows one customer per email address, so a customer whose account has given up an address blocks that
 * address's next owner. Custom data record which account each customer belongs to, so that no account buys as another.
 */
import type { Customer, Paddle, Subscription } from "@paddle/paddle-node-sdk";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { ProviderRefusal, type CheckoutRequest } from "../payment-provider.ts";
import { allOf, asked, isCode } from "./paddle-errors.ts";

/** The account in the custom data; null if they are empty or not ours. */
export function accountOf({ customData }: Pick<Customer | Subscription, "customData">): string | null {
  const accountId = (customData as Record<string, unknown> | null)?.["accountId"];
  return typeof accountId === "string" && accountId !== "" ? accountId : null;
}

/** Every subscription of the customer, for any account. */
export const subscriptionsOf = (paddle: Paddle, customerId: string): Promise<Subscription[]> =>
  asked(() => allOf(paddle.subscriptions.list({ customerId: [customerId] })));

/** The customer that the account buys as. Refuses if another account still buys as the customer with this address. */
export async function findBuyer(paddle: Paddle, request: CheckoutRequest): Promise<string> {
  const { accountId, email, name, customerId } = request;
  if (customerId) {
    const before = await asked(() => paddle.customers.get(customerId));
    if (accountOf(before) === accountId && (await hasAddress(paddle, before, email))) return customerId;
  }
  const known = await findByEmail(paddle, email);
  if (known) return takeOver(paddle, known, accountId, name);
  try {
    return (await asked(() => paddle.customers.create({ email, name, customData: { accountId } }))).id;
  } catch (error) {
    // Two concurrent clicks: the other one created the customer.
    const made = isCode(error, "customer_already_exists") ? await findByEmail(paddle, email) : undefined;
    if (!made) throw error;
    return takeOver(paddle, made, accountId, name);
  }
}

/** Sets the customer's address; false if another customer has it, such as one of a deleted account. */
async function hasAddress(paddle: Paddle, customer: Customer, email: string): Promise<boolean> {
  try {
    await putRight(paddle, customer, { email });
    return true;
  } catch (error) {
    if (isCode(error, "customer_already_exists")) return false;
    throw error;
  }
}

/** Includes archived customers: they keep their address. */
async function findByEmail(paddle: Paddle, email: string): Promise<Customer | undefined> {
  return (await asked(() => allOf(paddle.customers.list({ email: [email], status: ["active", "archived"] }))))[0];
}

const running: ReadonlySet<string> = new Set(["active", "trialing", "past_due", "paused"]);

/** The address has a new owner. A previous owner who still pays was separated first (`saveEmail`). */
async function takeOver(paddle: Paddle, customer: Customer, accountId: string, name: string): Promise<string> {
  const owner = accountOf(customer);
  if (owner !== accountId) {
    const others = (await subscriptionsOf(paddle, customer.id)).filter(
      (subscription) => running.has(subscription.status) && accountOf(subscription) !== accountId,
    );
    if (others.length > 0)
      throw new ProviderRefusal(
        `Paddle's customer ${customer.id} has this address and belongs to account ${owner ?? "unknown"}, whose subscription ${others[0]!.id} runs.`,
      );
  }
  await putRight(paddle, customer, { accountId, name });
  return customer.id;
}

/** Writes what differs, keeps what else is kept with the customer, and reactivates an archived customer; does nothing if all is up to date. */
async function putRight(
  paddle: Paddle,
  customer: Customer,
  { accountId, email, name }: { accountId?: string; email?: string; name?: string },
): Promise<void> {
  const changes = {
    ...(customer.status === "archived" && { status: "active" as const }),
    ...(accountId !== undefined &&
      accountOf(customer) !== accountId && { customData: { ...customer.customData, accountId }, name: name ?? null }),
    ...(email !== undefined && customer.email.toLowerCase() !== email.toLowerCase() && { email }),
  };
  if (Object.keys(changes).length > 0) await asked(() => paddle.customers.update(customer.id, changes));
}

/** Implements the port's call: a customer of another account keeps its address. */
export async function saveEmail(
  paddle: Paddle,
  customerId: string,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const customer = await asked(() => paddle.customers.get(customerId));
  if (accountOf(customer) === accountId) await putRight(paddle, customer, { email });
}

export async function saveDetails(
  paddle: Paddle,
  customerId: string,
  { name, line1, line2, postalCode, city, country, vatId }: BillingDetails,
): Promise<void> {
  await asked(async () => {
    await paddle.customers.update(customerId, { name });
    const place = { firstLine: line1, secondLine: line2, postalCode, city, countryCode: country as "DE" };
    const [address] = await allOf(paddle.addresses.list(customerId));
    if (address) await paddle.addresses.update(customerId, address.id, place);
    else await paddle.addresses.create(customerId, place);
    const [business] = await allOf(paddle.businesses.list(customerId));
    if (business) await paddle.businesses.update(customerId, business.id, { name, taxIdentifier: vatId || null });
    else if (vatId) await paddle.businesses.create(customerId, { name, taxIdentifier: vatId });
  });
}
