/**
 * The largest refund without a person's yes, in units of the currency, tax included: a month of the dearest plans with a fixed price.
 * Operators change it with REFUND_LIMIT.
 */
export const defaultRefundLimit = 500;
