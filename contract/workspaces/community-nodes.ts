/** The community nodes in a workspace, as last reported. */
import { z } from "zod";
import { defineRoute } from "../api/route.ts";

export const communityNode = z
  .object({
    name: z.string().meta({ description: "of the package" }),
    version: z.string(),
    isHeldBack: z.boolean().meta({ description: "installed but disabled, because two starts with the community nodes failed" }),
  })
  .meta({ id: "CommunityNode" });
export type CommunityNode = z.infer<typeof communityNode>;

export const listCommunityNodes = defineRoute({
  method: "GET",
  path: "/instance/community-nodes",
  tag: "Workspace",
  summary: "The community nodes installed in the workspace, by name",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      isOffered: z.boolean().meta({ description: "false: this workspace does not support community nodes" }),
      nodes: z.array(communityNode),
      askedAt: z.iso.datetime().nullable().meta({ description: "when the workspace last reported its packages; null: never" }),
      isCurrent: z.boolean().meta({ description: "false: the workspace could not be reached just now" }),
    }),
  },
  writes: "question",
  problems: ["workspace_not_found"],
});
