/** A tool's user management in memory, as a workspace would have it. */
import { randomUUID } from "node:crypto";
import type { EngineMember, EngineMembers } from "#apps/provisioner/engines/engine.ts";

export interface TestMembers extends EngineMembers {
  /** The people of a workspace. */
  of(workspaceId: string): EngineMember[];
  /** Addresses of every call to invite, in order. */
  invites: string[];
  /** Calls reject with this. */
  fails: Error | null;
  /** Runs once somebody is in the tool and before the caller hears of it. */
  afterInvite: () => Promise<void>;
  /** The person fills in the tool's own form. */
  join(workspaceId: string, email: string): void;
}

export function createTestMembers(): TestMembers {
  const people = new Map<string, EngineMember[]>();
  const members: TestMembers = {
    invites: [],
    fails: null,
    afterInvite: () => Promise.resolve(),
    of: (workspaceId) => people.get(workspaceId) ?? [],
    join(workspaceId, email) {
      members.of(workspaceId).find((member) => member.email === email)!.joined = true;
    },
    async invite(_address, workspaceId, email) {
      members.invites.push(email);
      if (members.fails) throw members.fails;
      const known = members.of(workspaceId).find((member) => member.email === email);
      const member = known ?? { id: randomUUID(), email, joined: false };
      if (!known) people.set(workspaceId, [...members.of(workspaceId), member]);
      await members.afterInvite();
      return { memberId: member.id, acceptPath: member.joined ? null : `/signup?token=${randomUUID()}` };
    },
    async revoke(_address, workspaceId, email) {
      if (members.fails) throw members.fails;
      const known = members.of(workspaceId).find((member) => member.email === email);
      if (known?.joined) return false;
      people.set(
        workspaceId,
        members.of(workspaceId).filter((member) => member !== known),
      );
      return true;
    },
    async list(_address, workspaceId) {
      if (members.fails) throw members.fails;
      return members.of(workspaceId);
    },
  };
  return members;
}
