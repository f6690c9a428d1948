/** Saves name, address and VAT id for future invoices; issued ones stay as they are. */
import type { BillingDetails } from "#contract/billing/billing.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import { askProvider, pageLimitMs } from "#domain/billing/ask-provider.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findCustomer, readBillingDetails, saveBillingDetails, saveVatAnswer } from "#domain/invoices/invoice-store.ts";
import { VatIdRefused } from "#payments/payment-provider.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * The provider is told first, since it calculates tax from the details: refuses (AppError) payments_unavailable, and then saves nothing.
 * A VAT id that the register or the provider rejects is refused as a field error. If the register does not answer, any id is accepted and
 * checked again with the next invoice.
 */
export async function saveDetails(
  { db, clock, billing }: Services,
  { accountId, userId }: CurrentUser,
  details: BillingDetails,
  address: string,
): Promise<BillingDetails> {
  const answer = details.vatId === "" ? null : ((await billing.askVatRegister?.(details.vatId)) ?? null);
  if (answer && !answer.valid) throw refused("vat_id.unknown");
  const customer = await findCustomer(db, accountId);
  if (customer?.provider === billing.provider.name) {
    const save = () =>
      billing.provider
        .saveDetails(customer.customerId, details)
        .catch((error: unknown) => Promise.reject(error instanceof VatIdRefused ? refused("vat_id.invalid") : (error as Error)));
    await askProvider(save, pageLimitMs);
  }
  await db.transaction(async (tx) => {
    const before = await readBillingDetails(tx, accountId);
    await saveBillingDetails(tx, accountId, details, clock.now());
    if (answer) await saveVatAnswer(tx, accountId, details.vatId, answer);
    await writeAudit(tx, { accountId, userId, action: "billing_details.changed", before, after: details, address }, clock.now());
  });
  return details;
}

const refused = (code: "vat_id.unknown" | "vat_id.invalid"): AppError =>
  new AppError("validation_failed", { errors: [{ path: "vatId", code, message: fieldMessage(code) }] });
