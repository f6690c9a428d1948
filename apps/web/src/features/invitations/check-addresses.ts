/** What is wrong with each address before anybody is asked; the API decides, by the same rule and with the same words. */
import { inviteEmail, mostInvitedAtOnce, type Invitation } from "#contract/accounts/invitation.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";

export interface Address {
  email: string;
  /** In words; undefined when nothing is wrong. */
  problem?: string | undefined;
}

/** The address with what is wrong with it, seen from here. */
export function checkAddress(email: string, ownEmail: string, invited: readonly Invitation[]): Address {
  const code = findProblem(email, ownEmail, invited);
  return { email, problem: code && fieldMessage(code) };
}

function findProblem(email: string, ownEmail: string, invited: readonly Invitation[]): FieldCode | undefined {
  if (!inviteEmail.safeParse(email).success) return "email.invalid";
  if (email === ownEmail) return "invite.own_address";
  const before = invited.find((invitation) => invitation.email === email);
  if (!before) return undefined;
  return before.state === "accepted" ? "invite.already_accepted" : "invite.already_invited";
}

/** What is wrong with the list as a whole. */
export function checkCount(count: number): string | undefined {
  if (count === 0) return fieldMessage("emails.required");
  return count > mostInvitedAtOnce ? fieldMessage("emails.too_many") : undefined;
}
