/** The link in the new mailbox was opened. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteLinks, findPerson, setEmail } from "#domain/accounts/credential-store.ts";
import { peekLink } from "#domain/accounts/links/link-token-store.ts";
import { takeLinkOfPerson } from "#domain/accounts/lock-person.ts";
import { lookAtProvider } from "#domain/billing/provider-truth/look-at-provider.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { emailChangedMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { AppError } from "#platform/app-error.ts";
import { proveRegistrant, type Shown } from "../signed-in/prove-registrant.ts";
import type { Services } from "../services.ts";
import { emailTaken, refuseTaken } from "./email-taken.ts";

/**
 * Sets the new address and notifies the old one. Refuses a link that was used or has expired, an address taken meanwhile,
 * and a browser that shows neither a session of the account nor its password: the holder of a mailbox must not be led into a stranger's
 * account.
 */
export async function confirmEmailChange(services: Services, token: string, shown: Shown, address: string): Promise<{ email: string }> {
  const { db, clock } = services;
  const wanted = await peekLink(db, token, "change-email", clock.now());
  const before = wanted && (await findPerson(db, wanted.userId));
  if (!before) throw new AppError("email_link_invalid");
  const hold = await proveRegistrant(services, before.userId, shown);
  const notice = await emailChangedMail(before, wanted.email);
  const move = db.transaction(async (tx) => {
    const now = clock.now();
    await hold(tx);
    const link = await takeLinkOfPerson(tx, token, ["change-email"], now);
    if (!link) throw new AppError("email_link_invalid");
    const { person } = link;
    if (!(await setEmail(tx, person.userId, link.email, now))) throw emailTaken();
    // The old mailbox may have another reader; other links of this change are void.
    await deleteLinks(tx, person.userId, ["change-email", "confirm-email", "reset-password", "magic-link", "operator-code"]);
    await writeAudit(
      tx,
      { accountId: person.accountId, userId: person.userId, action: "email.changed", before: person.email, after: link.email, address },
      now,
    );
    await queueMail(tx, notice, now);
    // The workspace stores its owner's address, too.
    await makeAccountDue(tx, person.accountId, now);
    // The payment provider mails this address as well.
    await lookAtProvider(tx, person.accountId, now);
  });
  await refuseTaken(move);
  return { email: wanted.email };
}
