/** An operator views the panel as the customer does: a code for 60 s, on the record. */
import { findByLogin } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findPerson } from "#domain/accounts/credential-store.ts";
import { insertLinkToken } from "#domain/accounts/links/link-token-store.ts";
import { newToken } from "#domain/accounts/token.ts";
import type { Services } from "../services.ts";

/** Who looks, and why: both go into the account's audit log. */
interface OperatorVisit {
  operator: string;
  reason: string;
}

/** The URL that signs in as this user, once; null when no account has this name or email address. */
export async function mintOperatorCode(
  { db, clock, publicUrl }: Pick<Services, "db" | "clock" | "publicUrl">,
  login: string,
  visit: OperatorVisit,
): Promise<string | null> {
  const found = await findByLogin(db, login);
  const person = found && (await findPerson(db, found.userId));
  if (person?.kind !== "member") return null;
  const token = newToken();
  await db.transaction(async (tx) => {
    const now = clock.now();
    await insertLinkToken(tx, { token, userId: person.userId, email: person.email, purpose: "operator-code" }, now);
    await writeAudit(tx, { accountId: person.accountId, userId: null, action: "operator-code.minted", after: { ...visit } }, now);
  });
  return `${publicUrl}/login?code=${token}`;
}
