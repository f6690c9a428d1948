/**
 * What the fake accepts, call by call, after Stripe's own types of its 2026-10-28 API (the ones the adapter is compiled against).
 * As at Stripe, an unknown parameter, a wrong type or an unknown enum value is an error.
 */
import { z } from "zod";

const integer = z.string().regex(/^-?\d+$/).transform(Number);
const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const url = z.url({ protocol: /^https?$/ });
const address = z.strictObject({ line1: z.string(), line2: z.string(), postal_code: z.string(), city: z.string(), country: z.string().regex(/^([A-Z]{2})?$/) });
const metadata = z.record(z.string().max(40), z.string().max(500));
const expand = z.array(z.string().refine((path) => path.split(".").length <= 4, "only four levels can be expanded")).optional();
const prorationBehavior = z.enum(["always_invoice", "create_prorations", "none"]);

const changedItem = z
  .strictObject({ id: z.string().optional(), price: z.string().optional(), quantity: integer.optional(), deleted: flag.optional() })
  .refine(({ id, price }) => id !== undefined || price !== undefined, "an item needs an id or a price");
export type ChangedItem = z.output<typeof changedItem>;

export const params = {
  createCustomer: z.strictObject({ email: z.email(), name: z.string().max(256), metadata, address: address.optional() }),
  updateCustomer: z.strictObject({ name: z.string().max(256).optional(), address: address.optional(), email: z.email().optional() }),
  createTaxId: z.strictObject({ type: z.enum(["eu_vat", "gb_vat"]), value: z.string().min(1) }),
  createSession: z.strictObject({
    mode: z.literal("subscription"),
    customer: z.string(),
    client_reference_id: z.string().max(200),
    currency: z.string().regex(/^[a-z]{3}$/),
    line_items: z.array(z.strictObject({ price: z.string(), quantity: integer })).min(1).max(20),
    subscription_data: z.strictObject({ metadata }),
    metadata,
    automatic_tax: z.strictObject({ enabled: flag }),
    customer_update: z.strictObject({ address: z.enum(["auto", "never"]), name: z.enum(["auto", "never"]) }),
    tax_id_collection: z.strictObject({ enabled: flag }),
    success_url: url,
    cancel_url: url,
  }),
  createPortalSession: z.strictObject({ customer: z.string(), return_url: url, flow_data: z.strictObject({ type: z.literal("payment_method_update") }) }),
  createPreview: z.strictObject({
    subscription: z.string(),
    preview_mode: z.enum(["next", "recurring"]).default("next"),
    subscription_details: z
      .strictObject({
        items: z.array(changedItem).optional(),
        proration_behavior: prorationBehavior.default("create_prorations"),
        proration_date: integer.optional(),
        cancel_at_period_end: flag.optional(),
        resume_at: z.literal("now").optional(),
        billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }).optional(),
      })
      .optional(),
  }),
  updateSubscription: z.union([
    z.strictObject({ cancel_at_period_end: flag }),
    z.strictObject({
      items: z.array(changedItem),
      payment_behavior: z.enum(["allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"]),
      proration_behavior: prorationBehavior,
      proration_date: integer.optional(),
    }),
  ]),
  resumeSubscription: z.strictObject({
    billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }),
    payment_behavior: z.enum(["resume_on_payment_attempt", "resume_on_payment_success"]),
  }),
  createRefund: z.strictObject({ charge: z.string(), reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]) }),
  listDisputes: z.strictObject({ charge: z.string(), limit: integer }),
  nothing: z.strictObject({}),
  listPrices: z.strictObject({ lookup_keys: z.array(z.string()).max(10), active: flag }),
  listOf: z.strictObject({ customer: z.string(), limit: integer, expand, starting_after: z.string().optional() }),
  retrieve: z.strictObject({ expand }),
} as const;
