/**
 * What the fake accepts for each call: the parameters that the adapter may use, all among those that the official package documents for
 * that call (stripe 23.1.0, API 2026-10-28; the compiler checks their names). As at Stripe, an unknown parameter, wrong
 * type or unknown value is a 400.
 */
import type Stripe from "stripe";
import { z } from "zod";

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const url = z.url({ protocol: /^https?$/ });
const text = z.string();
const address = z.strictObject({
  line1: text.optional(),
  line2: text.optional(),
  postal_code: text.optional(),
  city: text.optional(),
  country: text.regex(/^([A-Z]{2})?$/).optional(),
});
const metadata = z.record(text.max(40), text.max(500));
/** At most four levels (docs.stripe.com/api/expanding_objects, not read again). */
const expand = z.array(text.refine((path) => path.split(".").length <= 4, "only four levels can be expanded")).optional();
const since = z.strictObject({ gte: integer });
const prorationBehavior = z.enum(["always_invoice", "create_prorations", "none"]);

const changedItem = z
  .strictObject({ id: text.optional(), price: text.optional(), quantity: integer.optional(), deleted: flag.optional() })
  .refine(({ id, price }) => id !== undefined || price !== undefined, "an item needs an id or a price");
const phaseItem = z.strictObject({ price: text, quantity: integer.optional() });

/** A strict object with only members that the package documents for the call. */
const of =
  <Params>() =>
  <Shape extends z.ZodRawShape>(shape: Shape & Record<Exclude<keyof Shape, keyof Params>, never>) =>
    z.strictObject(shape as Shape);

const cancellation = of<Stripe.SubscriptionUpdateParams>()({
  cancel_at_period_end: flag.optional(),
  cancel_at: z.union([z.literal(""), integer]).optional(),
});
const ownCard = of<Stripe.SubscriptionUpdateParams>()({ default_payment_method: text });
/** `pending_if_incomplete` allows only these (docs.stripe.com/billing/subscriptions/pending-updates-reference, read 2026-11-22). */
const items = of<Stripe.SubscriptionUpdateParams>()({
  items: z.array(changedItem).min(1).max(20),
  payment_behavior: z
    .enum(["allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"])
    .default("allow_incomplete"),
  proration_behavior: z.enum(["always_invoice", "none"]),
  proration_date: integer.optional(),
  expand,
  metadata: metadata.optional(),
}).refine(
  (update) => update.payment_behavior !== "pending_if_incomplete" || update.metadata === undefined,
  "metadata cannot be changed with `pending_if_incomplete`",
);

const invoiceItem = {
  amount: integer,
  currency: text.regex(/^[a-z]{3}$/),
  description: text,
  period: z.strictObject({ start: integer, end: integer }),
  metadata,
};

export const params = {
  createCustomer: of<Stripe.CustomerCreateParams>()({ email: z.email(), name: text.max(256), metadata, address: address.optional() }),
  updateCustomer: of<Stripe.CustomerUpdateParams>()({
    email: z.email().optional(),
    name: text.max(256).optional(),
    address: address.optional(),
    invoice_settings: z.strictObject({ default_payment_method: text }).optional(),
  }),
  createTaxId: of<Stripe.CustomerCreateTaxIdParams>()({ type: text, value: text.min(1) }),
  createSession: of<Stripe.Checkout.SessionCreateParams>()({
    mode: z.literal("subscription"),
    customer: text,
    client_reference_id: text.max(200),
    currency: text.regex(/^[a-z]{3}$/),
    line_items: z
      .array(z.strictObject({ price: text, quantity: integer }))
      .min(1)
      .max(20),
    subscription_data: z.strictObject({ metadata }),
    metadata,
    automatic_tax: z.strictObject({ enabled: flag }),
    billing_address_collection: z.enum(["auto", "required"]),
    customer_update: z.strictObject({ address: z.enum(["auto", "never"]), name: z.enum(["auto", "never"]) }),
    tax_id_collection: z.strictObject({ enabled: flag }),
    success_url: url,
    cancel_url: url,
  }),
  createPortalSession: of<Stripe.BillingPortal.SessionCreateParams>()({
    customer: text,
    return_url: url,
    flow_data: z.strictObject({
      type: z.literal("payment_method_update"),
      after_completion: z.strictObject({ type: z.literal("redirect"), redirect: z.strictObject({ return_url: url }) }).optional(),
    }),
  }),
  createItem: of<Stripe.InvoiceItemCreateParams>()({ ...invoiceItem, customer: text, subscription: text }),
  listItems: of<Stripe.InvoiceItemListParams>()({ customer: text, pending: z.literal("true"), limit: integer }),
  createPreview: of<Stripe.InvoiceCreatePreviewParams>()({
    subscription: text.optional(),
    schedule: text.optional(),
    invoice_items: z.array(z.strictObject(invoiceItem)).optional(),
    preview_mode: z.enum(["next", "recurring"]).default("next"),
    subscription_details: z
      .strictObject({
        items: z.array(changedItem).optional(),
        proration_behavior: prorationBehavior.default("create_prorations"),
        proration_date: integer.optional(),
        cancel_at_period_end: flag.optional(),
        cancel_at: z.literal("").optional(),
        resume_at: z.literal("now").optional(),
        billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }).optional(),
      })
      .optional(),
  }),
  updateSubscription: z.union([cancellation, ownCard, items]),
  resumeSubscription: of<Stripe.SubscriptionResumeParams>()({
    billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }),
    payment_behavior: z.enum(["resume_on_payment_attempt", "resume_on_payment_success"]),
  }),
  /** "When using this parameter, other parameters cannot be set" (stripe 23.1.0, `SubscriptionScheduleCreateParams.from_subscription`). */
  createSchedule: of<Stripe.SubscriptionScheduleCreateParams>()({ from_subscription: text }),
  updateSchedule: of<Stripe.SubscriptionScheduleUpdateParams>()({
    default_settings: z.strictObject({ automatic_tax: z.strictObject({ enabled: flag }) }).optional(),
    end_behavior: z.enum(["release", "cancel"]).default("release"),
    proration_behavior: prorationBehavior.default("create_prorations"),
    phases: z
      .array(
        z.strictObject({
          items: z.array(phaseItem).min(1).max(20),
          start_date: integer.optional(),
          end_date: integer.optional(),
          proration_behavior: prorationBehavior.default("create_prorations"),
          duration: z.strictObject({ interval: z.enum(["day", "week", "month", "year"]), interval_count: integer.optional() }).optional(),
        }),
      )
      .min(1),
  }),
  createRefund: of<Stripe.RefundCreateParams>()({
    charge: text,
    amount: integer.optional(),
    reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]),
  }),
  listDisputes: of<Stripe.DisputeListParams>()({ charge: text, limit: integer }),
  nothing: z.strictObject({}),
  listPrices: of<Stripe.PriceListParams>()({ lookup_keys: z.array(text).max(10), active: flag }),
  listCustomers: of<Stripe.CustomerListParams>()({ created: since, limit: integer, starting_after: text.optional() }),
  listSubscriptions: of<Stripe.SubscriptionListParams>()({
    created: since,
    status: z.literal("all"),
    limit: integer,
    expand,
    starting_after: text.optional(),
  }),
  updateInvoice: of<Stripe.InvoiceUpdateParams>()({ metadata }),
  listInvoices: of<Stripe.InvoiceListParams>()({
    created: since.optional(),
    customer: text.optional(),
    subscription: text.optional(),
    status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
    limit: integer,
    expand,
    starting_after: text.optional(),
  }),
  listCharges: of<Stripe.ChargeListParams>()({ customer: text, limit: integer, expand, starting_after: text.optional() }),
  listTaxIds: of<Stripe.CustomerListTaxIdsParams>()({ limit: integer.optional() }),
  retrieve: z.strictObject({ expand }),
} as const;
