/** n8n's users, through the hook in the workspace's own process (workspace-side/people/member-routes.mts). */
import { z } from "zod";
import { asOneLine } from "#contract/api/printable-text.ts";
import { secondMs } from "#platform/clock.ts";
import { createAsk, type Caller } from "../../call-workspace.ts";
import type { EngineMembers } from "../../port/engine-people.ts";

/** People wait for the list of members. */
const timeoutMs = 10 * secondMs;

// The tenant's process writes this, so only these shapes are accepted.
const invited = z.object({
  memberId: z.string().max(100),
  acceptPath: z
    .string()
    .max(2000)
    .regex(/^\/signup\?[\w\-.~%=&]+$/)
    .nullable(),
});
const revoked = z.object({ revoked: z.boolean() });
const listed = z.object({
  members: z.array(
    z.object({
      id: z.string().max(100),
      email: z.string().max(320).toLowerCase(),
      joined: z.boolean(),
      role: z.string().max(100).optional(),
      name: z.string().max(200).transform(asOneLine).optional(),
      lastActiveOn: z.iso.date().optional(),
    }),
  ),
});

/** Calls that each carry a fresh token for this workspace. */
export function createN8nMembers(caller: Caller): EngineMembers {
  const ask = createAsk(caller, "members", { timeoutMs, mayRefuse: true });
  return {
    invite: (address, workspaceId, email) => ask(invited, address, workspaceId, "/_slipway/invitations", { email }),
    revoke: async (address, workspaceId, email) =>
      (await ask(revoked, address, workspaceId, "/_slipway/invitations/revoke", { email })).revoked,
    list: async (address, workspaceId) => (await ask(listed, address, workspaceId, "/_slipway/users")).members,
  };
}
