import type { User } from "#contract/accounts/account.ts";

type Billing = NonNullable<User["account"]["billing"]>;

/** Whether nothing is missing: paid, or in the free days of a subscription. The trial without a card has no billing at all. */
export const isInForce = (status: Billing["status"] | undefined): boolean => status === "active" || status === "trialing";
