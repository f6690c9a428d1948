/** Corrects a mistyped address of a registration: it was never confirmed, so the change needs no link. */
import type { Language } from "#contract/accounts/language.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteAllLinks, setEmail } from "#domain/accounts/credential-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import type { CheckedPassword } from "../signed-in/password-guards.ts";
import { writeConfirmation } from "../../accounts/links/write-confirmation.ts";
import type { Services } from "../services.ts";
import { emailTaken, refuseTaken } from "./email-taken.ts";

/**
 * Replaces an address that was never confirmed, voids every link sent there, and mails the new one a confirmation. The old one is sent
 * nothing: it may be a stranger's. Does nothing and returns false if it has been confirmed. Refuses a taken address, as in
 * registration.
 */
export async function correctEmail(
  services: Services,
  { hold }: CheckedPassword,
  to: { email: string; fullName: string; language: Language | null; address: string },
): Promise<boolean> {
  const confirmation = await writeConfirmation(services, to);
  const move = services.db.transaction(async (tx) => {
    const now = services.clock.now();
    // If the mailbox has been claimed, this session and its password have ended (decision 0076).
    const person = await hold(tx);
    if (person.confirmedAt) return false;
    // Another tab has already made the same change.
    if (person.email === to.email) return true;
    const { userId, accountId } = person;
    if (!(await setEmail(tx, userId, to.email, null))) throw emailTaken({ path: "email" });
    await deleteAllLinks(tx, userId);
    await confirmation.send(tx, userId, now);
    // The workspace stores its owner's address, too.
    await makeAccountDue(tx, accountId, now);
    await writeAudit(tx, { accountId, userId, action: "email.corrected", before: person.email, after: to.email, address: to.address }, now);
    return true;
  });
  return refuseTaken(move, "email");
}
