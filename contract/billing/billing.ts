/** The subscription of an account: what it pays, when, with which card, and how its plan changes. */
import { z } from "zod";
import { billingStatus, lastBackup, user } from "../accounts/account.ts";
import type { FieldCode } from "../api/field-words.ts";
import { line } from "../api/printable-text.ts";
import { asCountry, isCountry } from "./countries.ts";
import { currency, money } from "./money/money.ts";
import { billingPeriod, planSpec } from "./plans/plan.ts";
import { defineRoute } from "../api/route.ts";
import { isVatIdOf, writeVatId } from "./vat-id.ts";

/** The card brands the panel can show. */
export const cardBrand = z.enum(["generic", "amex", "discover", "maestro", "mastercard", "paypal", "visa"]);

export const planId = z.string().min(1).max(64);
const moment = z.iso.datetime();

const says = (code: FieldCode): FieldCode => code;
const isMissing = (input: unknown) => input === undefined || input === null || input === "";
/** Required and numeric. */
const quota = z
  .number({ error: ({ input }) => (isMissing(input) ? says("quota.required") : says("quota.numeric")) })
  .int(says("quota.numeric"));

/** Quotas that the customer chooses; the plan's own bounds are checked by the server. */
export const quotas = z.object({ monthlyExecutions: quota, activeWorkflows: quota });

export const paymentInformation = z
  .object({
    brand: cardBrand,
    lastFour: z.string().meta({ description: "empty for PayPal" }),
    expiryMonth: z.number().int().min(1).max(12).nullable(),
    expiryYear: z.number().int().nullable(),
    expired: z.boolean(),
  })
  .meta({ id: "PaymentInformation" });

export const priceLine = z
  .object({
    label: z.string(),
    quantity: z.number().int(),
    amount: money,
    isProration: z.boolean().meta({ description: "charged or credited for part of a period only" }),
  })
  .meta({ id: "PriceLine" });
export type PriceLine = z.infer<typeof priceLine>;

const tax = z.object({
  name: z.string(),
  ratePercent: z.number().nullable().meta({ description: "such as 19; null where several rates apply, or the provider names none" }),
  amount: money,
  inclusive: z.boolean(),
});

/** All amounts are exact at `quotedAt`; a change is confirmed with `previewId`, until `expiresAt`. */
export const changePreview = z
  .object({
    previewId: z.string(),
    quotedAt: moment,
    expiresAt: moment,
    planId,
    planName: z.string(),
    direction: z.enum(["upgrade", "downgrade", "same"]),
    timing: z.enum(["now", "period-end"]),
    effectiveAt: moment,
    lines: z.array(priceLine),
    tax: tax.nullable(),
    dueNow: money.meta({ description: "zero or more; any excess goes to `creditAfter`" }),
    creditAfter: money,
    nextRenewal: z.object({ at: moment, amount: money }),
    /** What will stop working, in words for the owner; empty where nothing does. */
    stopsWorking: z.array(z.string()),
    restarts: z.boolean().meta({ description: "whether the workspace restarts to apply the new limits" }),
  })
  .meta({ id: "ChangePreview" });
export type ChangePreview = z.infer<typeof changePreview>;

export const subscription = z
  .object({
    status: billingStatus,
    planId,
    planName: z.string(),
    billingPeriod,
    currency: currency.nullable(),
    quotas: quotas.nullable(),
    periodEndsAt: moment.nullable(),
    cancelAt: moment.nullable(),
    changesCloseAt: moment.nullable().meta({
      description: "from this time until the renewal, the provider accepts no changes or cancellations; null if it always accepts them",
    }),
    isArranged: z
      .boolean()
      .meta({ description: "set up by the operator and billed outside: nothing is charged here, and only the operator can change it" }),
    /** A change that waits for the end of the period. */
    scheduledChange: z.object({ planId, planName: z.string(), at: moment }).nullable(),
    /** While past due: when the provider retries, past attempts first. */
    retries: z.array(z.object({ at: moment, outcome: z.enum(["failed", "planned"]) })),
    pausedAt: moment.nullable(),
    deletionAt: moment.nullable(),
    credit: money.nullable(),
  })
  .meta({ id: "Subscription" });
export type Subscription = z.infer<typeof subscription>;

export const payment = z.object({
  id: z.string(),
  transactionId: z.string().meta({ description: "the invoice that it pays, among the transactions" }),
  at: moment,
  amount: money,
  status: z
    .enum(["succeeded", "failed", "refunded", "disputed", "pending"])
    .meta({ description: "`disputed`: the customer's bank took the payment back" }),
  brand: cardBrand.nullable(),
  lastFour: z.string().nullable(),
  reason: z.string().nullable().meta({ description: "why it failed, in words for the customer" }),
});

export const transaction = z.object({
  id: z.string(),
  /** Invoice number; null where there is nothing to invoice. */
  number: z.string().nullable(),
  at: moment,
  description: z.string(),
  total: money,
  tax: money,
  status: z
    .enum(["paid", "open", "void", "refunded", "disputed"])
    .meta({ description: "`disputed`: the customer's bank took the payment back; we did not refund it" }),
  kind: z
    .enum(["invoice", "credit-note", "debit-note"])
    .meta({ description: "`debit-note` withdraws a credit note whose refund failed; nothing is due for it" }),
  hasInvoice: z.boolean(),
});

const hasTexts = (value: unknown): boolean => z.looseObject({ country: z.string(), vatId: z.string() }).safeParse(value).success;

/** Name and address on invoices. */
export const billingDetails = z
  .object({
    name: line(120, { required: says("billing_name.required"), tooLong: says("billing_name.length") }),
    line1: line(200),
    line2: line(200),
    postalCode: line(20),
    city: line(100),
    country: z
      .string(says("billing_country.required"))
      .regex(/^[A-Z]{2}$/, says("billing_country.required"))
      .overwrite(asCountry)
      .refine(isCountry, says("billing_country.required"))
      .meta({ description: "ISO 3166-1 alpha-2; `UK` is understood as `GB`" }),
    /** Empty, or in its country's format. */
    vatId: line(40, { tooLong: says("vat_id.invalid") }).overwrite(writeVatId),
  })
  // Reported together with the other fields' problems.
  .refine(({ country, vatId }) => vatId === "" || isVatIdOf(country, vatId), {
    error: says("vat_id.invalid"),
    path: ["vatId"],
    when: ({ value }) => hasTexts(value),
  })
  .meta({ id: "BillingDetails" });
export type BillingDetails = z.infer<typeof billingDetails>;

/** Details as they were saved, some under other rules or by the provider: a rule may not hide them from their owner. */
export const savedDetails = z
  .object({
    name: z.string(),
    line1: z.string(),
    line2: z.string(),
    postalCode: z.string(),
    city: z.string(),
    country: z.string(),
    vatId: z.string(),
  } satisfies Record<keyof BillingDetails, z.ZodString>)
  .meta({ id: "SavedBillingDetails" });

const detailsRevision = z
  .string()
  .meta({ description: "version of the details; send it back with a change to have a change based on older details refused" });

export const billingDetailsChange = billingDetails
  .safeExtend({
    revision: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "the change is refused if the details are no longer at this version; if omitted, it is applied in any case" }),
  })
  .meta({ id: "BillingDetailsChange" });
export type BillingDetailsChange = z.infer<typeof billingDetailsChange>;

/** What all calls about billing have in common. */
export const billingCall = { tag: "Billing", auth: "session" } as const;

/**
 * Every call that moves money takes the header `Idempotency-Key` (1 to 64 characters): a call with the same key and contents runs once and
 * gets the same response.
 */
export const idempotencyHeader = "idempotency-key";

export const completeCheckout = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/complete-checkout",
  summary: "Called after the payment page. Checks with the provider if its event is late; never activates an unpaid subscription",
  body: z.object({ planId }),
  success: { status: 200, body: z.object({ user }) },
  problems: ["plan_not_found", "payments_unavailable"],
});

export const getSubscription = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/subscription",
  summary: "The subscription, with its planned changes",
  success: { status: 200, body: z.object({ subscription: subscription.nullable() }) },
  problems: [],
});

export const getPayments = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/payments",
  summary: "Payments and attempts, newest first",
  success: { status: 200, body: z.object({ payments: z.array(payment) }) },
  problems: [],
});

export const getTransactions = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/transactions",
  summary: "Invoices, newest first",
  success: { status: 200, body: z.object({ transactions: z.array(transaction) }) },
  problems: [],
});

/** Answers with the PDF, or redirects to the provider that keeps it; requested at each click, since such links expire. */
export const getInvoice = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/transactions/:id/invoice",
  summary: "The invoice as PDF",
  params: z.object({ id: z.string().min(1).max(100) }),
  success: { status: 200, body: z.unknown() },
  problems: ["invoice_not_found", "payments_unavailable"],
});

export const getPaymentInformation = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/payment-information",
  summary: "Brand, last four digits and expiry of the card",
  success: { status: 200, body: z.object({ paymentInformation: paymentInformation.nullable() }) },
  problems: ["payments_unavailable"],
});

export const changeCard = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/payment-information/change",
  summary: "The provider's page for changing the card; each call returns a new URL",
  body: z.object({}),
  success: { status: 200, body: z.object({ url: z.string() }) },
  problems: ["subscription_not_found", "password_needed", "payments_unavailable"],
});

export const getNextPayment = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/plan/next-payment",
  summary: "The next charge and its date",
  success: {
    status: 200,
    body: z.object({ nextPayment: z.object({ at: moment, amount: money, tax: money, lines: z.array(priceLine) }).nullable() }),
  },
  problems: ["payments_unavailable"],
});

export const getUserPlan = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/user/plan",
  summary: "The limits and features of the account's plan",
  success: { status: 200, body: planSpec },
  problems: ["subscription_not_found"],
});

export const isBillingActive = defineRoute({
  ...billingCall,
  method: "HEAD",
  path: "/account/billing/active",
  summary: "200 while the subscription is active, 404 otherwise",
  success: { status: 200, body: null },
  problems: ["subscription_not_found"],
});

export const cancelSubscription = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/billing/cancel",
  summary: "Cancels at the end of the paid period; the customer types `accountName`",
  body: z.object({ accountName: z.string().max(64), reason: line(1000).optional() }),
  success: { status: 200, body: z.object({ user }) },
  problems: ["subscription_not_found", "password_needed", "renewal_under_way", "payments_unavailable", "idempotency_key_reused"],
});

/**
 * What resubscribing does and charges, before the customer agrees. `keep`: a cancellation is undone and nothing is charged now. `charge`:
 * `dueNow` is charged to `card` immediately. `checkout`: the customer pays at the provider's page; `dueNow` is the plan's price, to which
 * that page adds the tax of their country.
 */
export const resubscribePreview = z
  .object({
    previewId: z.string(),
    quotedAt: moment,
    expiresAt: moment,
    way: z.enum(["keep", "charge", "checkout"]),
    workspace: z.enum(["kept", "restored", "empty"]).meta({
      description: "what the plan then runs: the workspace as it is, one restored from `lastBackup`, or a new, empty one",
    }),
    lastBackup: lastBackup.nullable(),
    planId,
    planName: z.string(),
    lines: z.array(priceLine),
    tax: tax.nullable(),
    dueNow: money,
    card: paymentInformation
      .nullable()
      .meta({ description: "what is charged; null if the card is entered on the provider's page, or nothing is paid" }),
    nextPayment: z
      .object({ at: moment, amount: money })
      .nullable()
      .meta({ description: "the charge after this one; null if it follows from the checkout, or nothing is paid" }),
  })
  .meta({ id: "ResubscribePreview" });
export type ResubscribePreview = z.infer<typeof resubscribePreview>;

export const previewResubscribe = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/billing/resubscribe/preview",
  summary: "What resubscribing charges now, to which card, and the next payment",
  body: z.object({}),
  success: { status: 200, body: z.object({ preview: resubscribePreview }) },
  problems: ["subscription_not_found", "plan_withdrawn", "plan_not_found", "payments_unavailable", "too_many_requests"],
});

/**
 * Undoes a cancellation, resumes what is paused, or opens a checkout where the old subscription has ended. An immediate charge requires the
 * agreed preview; without one, or with a stale one, the call is refused.
 */
export const resubscribe = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/billing/resubscribe",
  summary: "Keeps or restores the subscription; returns `url` if the customer has to pay first",
  body: z.object({ previewId: z.string().max(4000).optional() }),
  success: { status: 200, body: z.object({ user, url: z.string().nullable() }) },
  problems: [
    "subscription_not_found",
    "password_needed",
    "preview_stale",
    "payment_declined",
    "payment_action_required",
    "renewal_under_way",
    "payments_unavailable",
    "idempotency_key_reused",
  ],
});

export const retryPayment = defineRoute({
  ...billingCall,
  method: "POST",
  path: "/account/billing/retry",
  summary: "While past due, retries the card now; with `shown`, the confirmed amount, only if that amount is still due",
  body: z.object({ shown: money.optional() }),
  success: { status: 200, body: z.object({ user }) },
  problems: [
    "subscription_not_found",
    "password_needed",
    "preview_stale",
    "payment_declined",
    "payment_action_required",
    "payments_unavailable",
    "too_many_requests",
    "idempotency_key_reused",
  ],
});

export const getBillingDetails = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/billing/details",
  summary: "Name, address and VAT id on invoices",
  success: { status: 200, body: z.object({ details: savedDetails.nullable(), revision: detailsRevision }) },
  problems: [],
});

export const saveBillingDetails = defineRoute({
  ...billingCall,
  method: "PUT",
  path: "/account/billing/details",
  summary: "Changes name, address and VAT id on future invoices",
  body: billingDetailsChange,
  success: { status: 200, body: z.object({ details: savedDetails, revision: detailsRevision }) },
  problems: ["changed_elsewhere", "payments_unavailable"],
});
