import type { BillingDetails } from "#contract/billing/billing.ts";
import { contentRevision } from "#platform/content-revision.ts";

/** Identifies details for invoices by their content, also where there are none yet. */
export const detailsRevision = (details: BillingDetails | null): string =>
  contentRevision(
    details ? [details.name, details.line1, details.line2, details.postalCode, details.city, details.country, details.vatId] : [],
  );
