/** A registration that meets every rule. A new required field is added here; the compiler says so. */
import type { Registration } from "#contract/accounts/account.ts";

let people = 0;

/** Different each time. `changes` may break rules. */
export function buildRegistration(changes: Record<string, unknown> = {}): Record<string, unknown> {
  people += 1;
  const email = `ada${people}@example.com`;
  const good: Registration = {
    fullName: "Ada Lovelace",
    accountName: `ada-${people}`,
    email,
    emailConfirmation: email,
    password: "correct horse battery",
    challenge: "off",
  };
  return { ...good, ...changes };
}
