/** What may be entered as name and address on invoices. */
import { zodResolver } from "@hookform/resolvers/zod";
import { billingDetailsChange } from "#contract/billing/billing.ts";

export const detailsRules = zodResolver(billingDetailsChange);
