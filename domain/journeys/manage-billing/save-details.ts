/** Name, address and VAT id for the invoices from now on; those that are issued stay as they are. */
import type { BillingDetails } from "#contract/billing.ts";
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { findCustomer, readBillingDetails, saveBillingDetails } from "#domain/invoices/invoice-store.ts";
import type { CurrentUser } from "../current-user/current-user-query.ts";
import type { Services } from "../services.ts";
import { askProvider } from "./ask-provider.ts";

/** The provider hears of it first, since it reckons the tax by it: refuses (AppError) payments_unavailable, and keeps nothing then. */
export async function saveDetails({ db, clock, billing }: Services, { accountId, userId }: CurrentUser, details: BillingDetails, address: string): Promise<BillingDetails> {
  const customer = await findCustomer(db, accountId);
  if (customer?.provider === billing.provider.name) await askProvider(billing.provider.saveDetails(customer.customerId, details));
  await db.transaction(async (tx) => {
    const before = await readBillingDetails(tx, accountId);
    await saveBillingDetails(tx, accountId, details, clock.now());
    await writeAudit(tx, { accountId, userId, action: "billing_details.changed", before, after: details, address }, clock.now());
  });
  return details;
}
