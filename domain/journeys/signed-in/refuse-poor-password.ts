/** Keeps users from choosing easily guessed passwords, at registration and later. A password typed to sign in is never checked. */
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import type { Person } from "#domain/accounts/credential-store.ts";
import { readBillingDetails } from "#domain/invoices/invoice-store.ts";
import { isCommonPassword } from "#domain/passwords/common-passwords.ts";
import { isHardlyMoreThan, serviceWords } from "#domain/passwords/own-words.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";

/** The person whose password it will be; `organisation` as on invoices. */
interface Chooser {
  accountName: string;
  email: string;
  fullName: string;
  organisation?: string;
}

type Rules = Pick<Services, "passwords">;

/**
 * Refuses, as a problem of the field `password`, one of the most common ones, one made of words that strangers know, and one that leaked
 * elsewhere. The last check may ask an outside service and take two seconds: call it for verified callers, outside transactions.
 */
export async function refusePoorPassword(
  { passwords }: Rules,
  password: string,
  { accountName, email, fullName, organisation = "" }: Chooser,
): Promise<void> {
  if (await isCommonPassword(password)) throw refusal("password.common");
  const localPart = email.slice(0, email.lastIndexOf("@"));
  if (isHardlyMoreThan(password, [accountName, email, localPart, fullName, organisation, ...serviceWords, ...passwords.operatorNames]))
    throw refusal("password.own_words");
  if (await passwords.breached.has(password)) throw refusal("password.breached");
}

/** The same for an existing account: the name on its invoices counts, too. */
export async function refusePoorNewPassword(services: Rules & Pick<Services, "db">, password: string, person: Person): Promise<void> {
  const organisation = (await readBillingDetails(services.db, person.accountId))?.name ?? "";
  await refusePoorPassword(services, password, { ...person, organisation });
}

const refusal = (code: FieldCode): AppError =>
  new AppError("validation_failed", { errors: [{ path: "password", code, message: fieldMessage(code) }] });
