import { expect, test } from "vitest";
import type { Invitation, InvitationState } from "#contract/accounts/invitation.ts";
import type { Member } from "#contract/accounts/member.ts";
import { peopleOf } from "./people.ts";

const member = (email: string, hasJoined = true): Member => ({
  id: email,
  email,
  name: null,
  role: "member",
  hasJoined,
  lastActiveOn: null,
});
const invitation = (email: string, state: InvitationState): Invitation => ({
  id: email,
  email,
  state,
  invitedAt: "2026-11-23T08:00:00.000Z",
  sentAt: null,
  acceptedAt: null,
  resendInSeconds: 0,
});
const shown = (members: Member[], invitations: Invitation[]) =>
  Object.values(peopleOf(members, invitations))
    .flat()
    .map((person) => [person.email, Boolean(person.member), person.invitation?.state]);

test("a person known to both the workspace and the service is listed once, however their address is written", () => {
  expect(shown([member("Bob@example.com", false)], [invitation("bob@example.com", "sent")])).toEqual([["Bob@example.com", true, "sent"]]);
});

test("people who joined are listed apart from those who have not", () => {
  const { joined, pending } = peopleOf(
    [member("ada@example.com"), member("bob@example.com", false)],
    [invitation("bob@example.com", "sent")],
  );
  expect([joined, pending].map((people) => people.map(({ email }) => email))).toEqual([["ada@example.com"], ["bob@example.com"]]);
});

test("members of the workspace come before people who have not joined, wherever they are recorded", () => {
  const members = [member("ada@example.com"), member("pending@example.com", false), member("carl@example.com")];
  const invitations = (
    [
      ["failed@example.com", "failed"],
      ["carl@example.com", "accepted"],
      ["gone@example.com", "accepted"],
    ] as const
  ).map(([email, state]) => invitation(email, state));
  expect(shown(members, invitations)).toEqual([
    ["ada@example.com", true, undefined],
    ["carl@example.com", true, "accepted"],
    ["gone@example.com", false, "accepted"],
    ["pending@example.com", true, undefined],
    ["failed@example.com", false, "failed"],
  ]);
});
