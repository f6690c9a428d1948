/** A visitor becomes a customer: account, user, confirmation mail and session, in one transaction. */
import type { Registration } from "#contract/accounts/account.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { isReservedAccountName } from "#contract/accounts/reserved-names.ts";
import { findConflicts, insertAccount, type AccountConflict } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { hashPassword } from "#domain/accounts/password.ts";
import { countRegistration } from "#domain/attempts/limit-registrations.ts";
import { openSession } from "#domain/accounts/sessions/session-store.ts";
import { AppError } from "#platform/app-error.ts";
import { writeConfirmation } from "../../accounts/links/write-confirmation.ts";
import { refusePoorPassword } from "../signed-in/refuse-poor-password.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { rememberVisitor } from "../signed-in/known-browser.ts";
import type { OpenedSession } from "../signed-in/start-session.ts";

/**
 * Opens the first session. Refuses a taken name or address (both together if both are taken), a poor password, and more accounts than one
 * address or network may register in a day.
 */
export async function signUp(services: Services, form: Registration, visitor: Visitor, customerId: string | null): Promise<OpenedSession> {
  const { db, clock, registrationsPerDay } = services;
  const { address, device, language } = visitor;
  refuseConflicts(isReservedAccountName(form.accountName) ? ["account_name_taken"] : []);
  refuseConflicts(await findConflicts(db, form.accountName, form.email));
  await refusePoorPassword(services, form.password, form);

  const passwordHash = await hashPassword(form.password);
  const confirmation = await writeConfirmation(services, { ...form, language });
  return db.transaction(async (tx) => {
    const now = clock.now();
    const created = await insertAccount(
      tx,
      { ...form, language, passwordHash, templateId: form.templateId, termsVersion: services.termsVersion },
      now,
    );
    if (typeof created === "string") throw conflict([created]);
    await writeAudit(
      tx,
      {
        ...created,
        action: "account.registered",
        after: { accountName: form.accountName, email: form.email, termsVersion: services.termsVersion },
        address,
      },
      now,
    );
    await confirmation.send(tx, created.userId, now);
    const { userId } = created;
    const token = await openSession(tx, { userId, openedBy: "password", device, address }, now);
    const browser = await rememberVisitor(tx, userId, visitor, now);
    // Last: others who register at this address wait for it.
    await countRegistration(tx, { address, customerId }, registrationsPerDay);
    return { token, openedBy: "password", browser };
  });
}

const fieldOf = {
  account_name_taken: { path: "accountName", code: "account_name.taken" },
  email_taken: { path: "email", code: "email.taken" },
} as const satisfies Record<AccountConflict, { path: string; code: FieldCode }>;

function refuseConflicts(conflicts: AccountConflict[]): void {
  if (conflicts.length > 0) throw conflict(conflicts);
}

function conflict(conflicts: AccountConflict[]): AppError {
  return new AppError(conflicts[0]!, {
    errors: conflicts.map((name) => ({ ...fieldOf[name], message: fieldMessage(fieldOf[name].code) })),
  });
}
