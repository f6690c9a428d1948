/** An error in one account's billing that no provider and no rule explains: a fault of ours, which a person has to see. */
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  ProviderUnreachable,
  QuoteStale,
  RefundTooLarge,
} from "#payments/payment-provider.ts";
import type { Billing } from "./billing.ts";
import { countCorrectionOnce } from "./count-correction.ts";

const expected = [AppError, PaymentActionRequired, PaymentDeclined, ProviderRefusal, ProviderUnreachable, QuoteStale, RefundTooLarge];

/** The first failure may be a passing one, such as a database that is restarting. */
const passes = 1;

/** Records it for this account, once a day; never throws, so that the account's work is retried and all others' continues. */
export async function noteUnexpected(
  billing: Pick<Billing, "db" | "clock" | "log">,
  accountId: string | null,
  error: unknown,
  attempts: number,
): Promise<void> {
  if (accountId === null || attempts <= passes || expected.some((kind) => error instanceof kind)) return;
  const [name, message] = error instanceof Error ? [error.name, error.message] : ["Error", String(error)];
  const since = after(billing.clock.now(), -dayMs);
  try {
    billing.log.error({ err: error, accountId, attempts }, "this account's billing fails, and nothing explains it");
    const detail = `stops this account's billing: ${message.slice(0, 300)}`;
    await countCorrectionOnce(billing.db, billing, { accountId, kind: "account-failing", about: name, detail }, since);
  } catch (failure) {
    billing.log.error({ err: failure, accountId }, "a failing account could not be recorded");
  }
}
