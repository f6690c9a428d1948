/** The community nodes of a workspace, as its own process says (workspace-side/community-nodes-route.mts). */
import { z } from "zod";
import { secondMs } from "#platform/clock.ts";
import { createAsk, type Caller } from "../../call-workspace.ts";
import type { EngineCommunityNodes } from "../../engine.ts";

/** People wait while they are listed. */
const timeoutMs = 10 * secondMs;

// Written by the tenant's process, so believed no further than this shape goes. A package's name has at most 214 characters.
const listed = z.object({
  isOffered: z.boolean(),
  nodes: z.array(z.object({ name: z.string().max(214), version: z.string().max(256), isHeldBack: z.boolean() })).max(500),
});

/** Calls that each carry a fresh token for this workspace. */
export function createN8nCommunityNodes(caller: Caller): EngineCommunityNodes {
  const ask = createAsk(caller, "status", { timeoutMs });
  return { list: (address, workspaceId) => ask(listed, address, workspaceId, "/_slipway/community-nodes") };
}
