/** Another confirmation mail: at most one a minute, and after a few of them fewer, since anyone can register with anyone's address. */
import { resendWaitSeconds } from "#contract/accounts/account.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lastLinkAt } from "#domain/accounts/links/link-token-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import { secondMs } from "#platform/clock.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { writeConfirmation } from "../../accounts/links/write-confirmation.ts";

/**
 * Does nothing for a confirmed user. Refuses, with the seconds to wait, while the last mail is less than a minute old, and after too many to
 * this address.
 */
export async function resendConfirmation(
  services: Pick<Services, "db" | "clock" | "publicUrl">,
  current: Pick<CurrentUser, "userId" | "accountId" | "email" | "fullName" | "language" | "confirmedAt">,
  address?: string,
): Promise<void> {
  if (current.confirmedAt) return;
  const confirmation = await writeConfirmation(services, current);
  await services.db.transaction(async (tx) => {
    const now = services.clock.now();
    // Of two simultaneous clicks, the second sees the first one's link.
    const person = await lockPerson(tx, current);
    // Confirmed, or changed to another address, since the mail was written.
    if (person.confirmedAt || person.email !== current.email) return;
    const last = await lastLinkAt(tx, current.userId, "confirm-email");
    const waitMs = last ? last.getTime() + resendWaitSeconds * secondMs - now.getTime() : 0;
    if (waitMs > 0) throw new AppError("too_many_requests", { retryAfterSeconds: Math.ceil(waitMs / secondMs) });
    await refuseTooManyAttempts(tx, "confirmation-recipient", current.email, now, "too_many_requests");
    await confirmation.send(tx, current.userId, now);
    await writeAudit(
      tx,
      { accountId: current.accountId, userId: current.userId, action: "email.confirmation-resent", after: current.email, address },
      now,
    );
  });
}
