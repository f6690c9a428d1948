/** Checks the VAT ids for an account's next invoices at the register, before the transaction, which makes no network calls. */
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import * as store from "../invoice-store.ts";
import type { VatAnswer, VatRegister } from "./vat-register.ts";

export type VatAnswers = ReadonlyMap<string, VatAnswer>;

/** After a day, an id is checked again with the next invoice. */
const goodForMs = dayMs;

/** The newest answer for each of the account's ids and those on these invoices; the previous answer if the register does not respond. */
export async function checkVatIds(
  { db, clock, register }: { db: Database; clock: Clock; register: VatRegister },
  accountId: string,
  invoices: readonly ProviderInvoice[],
): Promise<VatAnswers> {
  const known = await store.readVatAnswer(db, accountId);
  const ids = new Set([known?.vatId, ...invoices.map(({ buyer }) => buyer?.vatId)].filter((id) => id !== undefined && id !== ""));
  const answers = new Map<string, VatAnswer>();
  for (const id of ids as ReadonlySet<string>) {
    const before = known?.vatId === id ? known.answer : null;
    const isFresh = before && after(before.checkedAt, goodForMs) > clock.now();
    const answer = isFresh ? before : ((await register.ask(id)) ?? before);
    if (answer) answers.set(id, answer);
  }
  return answers;
}
