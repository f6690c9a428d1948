/** The community nodes of a workspace, as its process reports them (workspace-side/community-nodes/community-nodes-route.mts). */
import { z } from "zod";
import { secondMs } from "#platform/clock.ts";
import { createAsk, type Caller } from "../../call-workspace.ts";
import type { EngineCommunityNodes } from "../../engine.ts";

/** People wait for this list. */
const timeoutMs = 10 * secondMs;

// The tenant's process writes this, so only this shape is accepted. A package's name has at most 214 characters.
const listed = z.object({
  isOffered: z.boolean(),
  nodes: z.array(z.object({ name: z.string().max(214), version: z.string().max(256), isHeldBack: z.boolean() })).max(500),
});

/** Calls that each carry a fresh token for this workspace. */
export function createN8nCommunityNodes(caller: Caller): EngineCommunityNodes {
  const ask = createAsk(caller, "status", { timeoutMs });
  return { list: (address, workspaceId) => ask(listed, address, workspaceId, "/_slipway/community-nodes") };
}
