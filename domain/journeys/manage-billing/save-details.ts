/** Saves name, address and VAT id for future invoices; issued ones stay as they are. */
import type { BillingDetails, BillingDetailsChange } from "#contract/billing/billing.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import { askProvider, pageLimitMs } from "#domain/billing/ask-provider.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { canPrint } from "#domain/invoices/document/invoice-fonts.ts";
import { detailsRevision } from "#domain/invoices/details-revision.ts";
import { findCustomer, lockInvoices, readBillingDetails, saveBillingDetails, saveVatAnswer } from "#domain/invoices/invoice-store.ts";
import { VatIdRefused } from "#payments/payment-provider.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/** Fields in any script; the others have formats of Latin letters. */
const printed = ["name", "line1", "line2", "postalCode", "city"] as const;

/** Each call may take `pageLimitMs`, while the caller waits. */
const mostCorrections = 3;

/**
 * The provider is told first, since it calculates tax from the details: refuses (AppError) payments_unavailable, and then saves nothing.
 * A VAT id that the register or the provider rejects is refused as a field error, as is a text with a character that invoices cannot
 * print. If the register does not answer, any id is accepted and checked again with the next invoice. A change made on outdated details is
 * refused (changed_elsewhere).
 */
export async function saveDetails(
  { db, clock, billing, log }: Services,
  { accountId, userId }: CurrentUser,
  { revision, ...details }: BillingDetailsChange,
  address: string,
): Promise<BillingDetails> {
  const refuseOutdated = (current: BillingDetails | null): void => {
    const known = detailsRevision(current);
    // Details that are already saved were saved by this same change, whose response was lost.
    if (revision !== undefined && revision !== known && known !== detailsRevision(details)) throw new AppError("changed_elsewhere");
  };
  const unprintable = printed.filter((field) => !canPrint(details[field]));
  if (unprintable.length > 0) throw refused("text.unprintable", unprintable);
  // Checked before the provider is told; the check that counts is in the transaction below.
  if (revision !== undefined) refuseOutdated(await readBillingDetails(db, accountId));
  const answer = details.vatId === "" ? null : ((await billing.askVatRegister?.(details.vatId)) ?? null);
  if (answer && !answer.valid) throw refused("vat_id.unknown", ["vatId"]);
  const customer = await findCustomer(db, accountId);
  const tellProvider = async (told: BillingDetails): Promise<void> => {
    if (customer?.provider !== billing.provider.name) return;
    const save = () =>
      billing.provider
        .saveDetails(customer.customerId, told)
        .catch((error: unknown) => Promise.reject(error instanceof VatIdRefused ? refused("vat_id.invalid", ["vatId"]) : (error as Error)));
    await askProvider(save, pageLimitMs);
  };
  /** Sends the provider the saved details again, after a save that was overtaken or failed; repeated if this is overtaken too. */
  const tellKept = async (): Promise<void> => {
    let told: string | undefined;
    for (let times = 0; times < mostCorrections; times += 1) {
      const kept = await readBillingDetails(db, accountId);
      if (!kept || detailsRevision(kept) === told) return;
      await tellProvider(kept);
      told = detailsRevision(kept);
    }
  };
  await tellProvider(details);
  try {
    await db.transaction(async (tx) => {
      await lockInvoices(tx, accountId);
      const before = await readBillingDetails(tx, accountId);
      refuseOutdated(before);
      await saveBillingDetails(tx, accountId, details, clock.now());
      if (answer) await saveVatAnswer(tx, accountId, details.vatId, answer);
      await writeAudit(tx, { accountId, userId, action: "billing_details.changed", before, after: details, address }, clock.now());
    });
  } catch (error) {
    await tellKept().catch((cause: unknown) =>
      log.warn({ err: cause, accountId }, "the payment provider has outdated billing details until they are saved again"),
    );
    throw error;
  }
  return details;
}

const refused = (code: "vat_id.unknown" | "vat_id.invalid" | "text.unprintable", paths: readonly (keyof BillingDetails)[]): AppError =>
  new AppError("validation_failed", { errors: paths.map((path) => ({ path, code, message: fieldMessage(code) })) });
