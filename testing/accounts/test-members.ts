/** A workspace's user management, in memory. */
import { randomUUID } from "node:crypto";
import type { EngineMember, EngineMembers } from "#apps/provisioner/engines/port/engine-people.ts";

export interface TestMembers extends EngineMembers {
  /** The members of a workspace. */
  of(workspaceId: string): EngineMember[];
  /** The address of every invitation, in order. */
  invites: string[];
  /** If set, calls reject with it. */
  fails: Error | null;
  /** Runs after a person was added to the workspace and before the caller is told. */
  afterInvite: () => Promise<void>;
  /** The person submits the engine's sign-up form. */
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
