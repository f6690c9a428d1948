/** What may be entered as name and address on invoices. */
import { zodResolver } from "@hookform/resolvers/zod";
import { billingDetails } from "#contract/billing/billing.ts";

export const detailsRules = zodResolver(billingDetails);
