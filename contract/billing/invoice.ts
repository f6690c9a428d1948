/** One invoice, credit note or debit note as a page: its contents, and what has happened to it since. */
import { z } from "zod";
import { defineRoute } from "../api/route.ts";
import { billingCall, payment, savedDetails, transaction } from "./billing.ts";
import { money } from "./money/money.ts";

const moment = z.iso.datetime();

/** As fixed at its issue. */
const document = z.object({
  seller: z.object({
    name: z.string(),
    address: z.array(z.string()),
    country: z.string().meta({ description: "ISO 3166-1 alpha-2; empty if not set" }),
    vatId: z.string(),
    email: z.string(),
  }),
  buyer: z.object({
    accountName: z.string(),
    email: z.string(),
    details: z.object(savedDetails.shape).meta({ description: "at the time of issue; all fields except the name may be empty" }),
  }),
  servicePeriod: z.object({ from: moment, to: moment }).nullable().meta({ description: "the period paid for, end exclusive" }),
  lines: z.array(
    z.object({
      label: z.string(),
      quantity: z.number().int(),
      unitAmount: money.nullable().meta({ description: "null if the amount is not a whole multiple of it" }),
      amount: money,
      isProration: z.boolean(),
    }),
  ),
  subtotal: money.meta({ description: "sum of all lines, including tax if their prices include it" }),
  discount: money.meta({ description: "other amounts the provider deducted (below zero) or added" }),
  tax: z.object({ name: z.string(), ratePercent: z.number().nullable(), amount: money, inclusive: z.boolean() }).nullable(),
  net: money.meta({ description: "the total without tax" }),
  taxInSellerCurrency: z.object({ amount: money, rate: z.string(), day: z.string() }).nullable(),
  reverseCharge: z.boolean().meta({ description: "the buyer owes the tax (Article 196 of Directive 2006/112/EC)" }),
  vatCheck: z
    .object({ checkedAt: moment, reference: z.string() })
    .nullable()
    .meta({ description: "when the VAT register confirmed the buyer's id; null: it did not" }),
  because: z.enum(["cancelled", "refunded", "refund-failed"]).nullable().meta({ description: "why a correction was written" }),
});

export const invoiceSheet = transaction
  .pick({ number: true, at: true, description: true, total: true, tax: true, status: true, kind: true })
  .extend({
    id: z.string(),
    document: document
      .nullable()
      .meta({ description: "null if the payment provider is the seller, or while the document waits for an exchange rate" }),
    paid: z.object({
      byCard: money.meta({
        description:
          "the amount the provider charged by card or another method, including amounts refunded since; `payments` name the method",
      }),
      fromCredit: money,
      otherwise: money.meta({ description: "such as by bank transfer" }),
      open: money.meta({ description: "still to be paid" }),
    }),
    payments: z.array(payment).meta({ description: "payments and attempts, newest first" }),
    corrects: z
      .object({ id: z.string().nullable(), number: z.string() })
      .nullable()
      .meta({ description: "`id` is null if it refers to several invoices" }),
    corrections: z
      .array(transaction.pick({ id: true, number: true, at: true, total: true, kind: true }))
      .meta({ description: "credit notes for it, and debit notes that withdraw one, oldest first" }),
  })
  .meta({ id: "InvoiceSheet" });
export type InvoiceSheet = z.infer<typeof invoiceSheet>;

export const getTransaction = defineRoute({
  ...billingCall,
  method: "GET",
  path: "/account/transactions/:id",
  summary: "An invoice: its parties, period, lines and tax, and how it was paid or corrected",
  params: z.object({ id: z.string().min(1).max(100) }),
  success: { status: 200, body: z.object({ invoice: invoiceSheet }) },
  problems: ["invoice_not_found"],
});
