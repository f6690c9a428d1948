/** Merges the workspace's members and the service's invitations into one list of people; most are in both. */
import type { Invitation } from "#contract/accounts/invitation.ts";
import type { Member } from "#contract/accounts/member.ts";

export interface Person {
  email: string;
  /** Their entry in the workspace; undefined if there is none, or not yet. */
  member?: Member;
  /** Their invitation; undefined if the service sent none. */
  invitation?: Invitation;
}

interface People {
  joined: Person[];
  pending: Person[];
}

/** One entry for each address: the workspace's members, in its order, and those who have not joined yet, oldest first. */
export function peopleOf(members: readonly Member[], invitations: readonly Invitation[]): People {
  const people = new Map<string, Person>();
  for (const member of members) people.set(member.email.toLowerCase(), { email: member.email, member });
  for (const invitation of invitations) {
    const key = invitation.email.toLowerCase();
    people.set(key, { ...(people.get(key) ?? { email: invitation.email }), invitation });
  }
  const isIn = ({ member, invitation }: Person) => (member?.hasJoined ?? false) || invitation?.state === "accepted";
  const all = [...people.values()];
  return { joined: all.filter(isIn), pending: all.filter((person) => !isIn(person)) };
}
