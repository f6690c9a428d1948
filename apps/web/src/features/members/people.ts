/** Who is in the workspace and who was invited, as people: the workspace knows some, the service others, and both most of them. */
import type { Invitation } from "#contract/accounts/invitation.ts";
import type { Member } from "#contract/accounts/member.ts";

export interface Person {
  email: string;
  /** As the workspace knows them; undefined: it does not, or not yet. */
  member?: Member;
  /** As they were invited; undefined: nobody here invited them. */
  invitation?: Invitation;
}

/** One entry for each address: first those who work in the workspace, in its order, then those who have not joined yet, oldest first. */
export function peopleOf(members: readonly Member[], invitations: readonly Invitation[]): Person[] {
  const people = new Map<string, Person>();
  for (const member of members) people.set(member.email.toLowerCase(), { email: member.email, member });
  for (const invitation of invitations) {
    const key = invitation.email.toLowerCase();
    people.set(key, { ...(people.get(key) ?? { email: invitation.email }), invitation });
  }
  const isIn = ({ member, invitation }: Person) => (member?.hasJoined ?? false) || invitation?.state === "accepted";
  const all = [...people.values()];
  return [...all.filter(isIn), ...all.filter((person) => !isIn(person))];
}
