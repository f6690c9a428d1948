/** Checks each address before the API is asked; the API decides, by the same rule and with the same words. */
import type { Invitation } from "#contract/accounts/invitation.ts";
import { mostInvitedAtOnce } from "#contract/accounts/account-values.ts";
import type { FieldCode } from "#contract/api/field-words.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";

/** Copied from zod, which the contract's `inviteEmail` uses; the panel does not load the schema library on this page. */
// oxlint-disable-next-line no-useless-escape -- letter by letter, so that a test can compare them
export const addressPattern = /^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$/;
/** The same as in the contract. */
const longest = 254;

/** Whether the API accepts it as an address. */
export function isAddress(text: string): boolean {
  const address = text.trim();
  return address.length <= longest && addressPattern.test(address);
}

export interface Address {
  email: string;
  /** The problem in words; undefined if there is none. */
  problem?: string | undefined;
}

/** The address with its problem, as far as it can be detected here. */
export function checkAddress(email: string, ownEmail: string, invited: readonly Invitation[]): Address {
  const code = findProblem(email, ownEmail, invited);
  return { email, problem: code && fieldMessage(code) };
}

function findProblem(email: string, ownEmail: string, invited: readonly Invitation[]): FieldCode | undefined {
  if (!isAddress(email)) return "email.invalid";
  if (email === ownEmail) return "invite.own_address";
  const before = invited.find((invitation) => invitation.email === email);
  if (!before) return undefined;
  return before.state === "accepted" ? "invite.already_accepted" : "invite.already_invited";
}

/** The problem of the list as a whole. */
export function checkCount(count: number): string | undefined {
  if (count === 0) return fieldMessage("emails.required");
  return count > mostInvitedAtOnce ? fieldMessage("emails.too_many") : undefined;
}
