/** A workspace's output, memory, people and community nodes, as its owner sees them. */
import { z } from "zod";
import { communityNode } from "#contract/workspaces/community-nodes.ts";
import type { Member } from "#contract/accounts/member.ts";
import { routes } from "#contract/routes.ts";
import { instanceStatus } from "#contract/workspaces/workspace.ts";
import { readLook, type LookKind } from "#domain/workspaces/observed/look-store.ts";
import { readPeaks } from "#domain/workspaces/observed/memory-store.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import { readUsersLimit } from "#domain/plans/users-limit.ts";
import type { Mount, Services } from "../services.ts";
import { lookInto, type LookAnswer } from "./look-into.ts";

/** 288 points a day: as many as a graph on a wide screen can show. */
const spanMinutes = 5;

const printed = z.object({ text: z.string() });
const present = z.object({
  members: z.array(
    z.object({ id: z.string(), email: z.string(), joined: z.boolean(), role: z.string().optional(), name: z.string().optional() }),
  ),
});

const added = z.object({ isOffered: z.boolean(), nodes: z.array(communityNode) });

export function lookIntoWorkspaceRoutes(mount: Mount, services: Services): void {
  mount(
    routes.getInstanceLogs,
    async ({ signedIn: { workspace } }) => {
      if (!workspace) throw new AppError("workspace_not_found");
      const { look, isCurrent } = await lookInto(services, workspace.id, "logs");
      return { text: printed.safeParse(look?.answer).data?.text ?? "", readAt: look?.answeredAt?.toISOString() ?? null, isCurrent };
    },
    { perMinute: 60 },
  );

  mount(routes.getInstanceMemory, async ({ signedIn: { workspace } }) => {
    if (!workspace) throw new AppError("workspace_not_found");
    const samples = await readPeaks(services.db, workspace.id, after(services.clock.now(), -dayMs), spanMinutes);
    return {
      limitMb: workspace.runningMemoryMb ?? workspace.memoryMb,
      plannedMb: workspace.memoryMb,
      samples: samples.map(({ at, memoryMb }) => ({ at: at.toISOString(), memoryMb })),
    };
  });

  mount(
    routes.listCommunityNodes,
    async ({ signedIn }) => {
      if (!signedIn.workspace) throw new AppError("workspace_not_found");
      if (!services.workspace.hasCommunityNodes) return { isOffered: false, nodes: [], askedAt: null, isCurrent: true };
      const { look, isCurrent } = await askWhileOnline(services, signedIn, "community-nodes");
      const { isOffered, nodes } = added.safeParse(look?.answer).data ?? { isOffered: true, nodes: [] };
      return { isOffered, nodes, askedAt: look?.answeredAt?.toISOString() ?? null, isCurrent };
    },
    { perMinute: 60 },
  );

  mount(
    routes.listMembers,
    async ({ signedIn }) => {
      const { look, isCurrent } = await askWhileOnline(services, signedIn, "members");
      const owner: Member = { id: signedIn.userId, email: signedIn.email, name: signedIn.fullName, role: "owner", hasJoined: true };
      const members = (present.safeParse(look?.answer).data?.members ?? []).map(memberView);
      const askedAt = look?.answeredAt?.toISOString() ?? null;
      return { members: [owner, ...members], askedAt, isCurrent, usersLimit: await readUsersLimit(services.db, signedIn.planSpec) };
    },
    { perMinute: 60 },
  );
}

/** Only an online workspace can list its people and community nodes. */
async function askWhileOnline(services: Services, { workspace }: CurrentUser, kind: LookKind): Promise<LookAnswer> {
  if (!workspace) return { look: undefined, isCurrent: true };
  if (workspaceStatus(workspace) === instanceStatus.online) return lookInto(services, workspace.id, kind);
  return { look: await readLook(services.db, workspace.id, kind), isCurrent: false };
}

const memberView = ({ id, email, joined, role, name }: z.infer<typeof present>["members"][number]): Member => ({
  id,
  email,
  name: name || null,
  role: role === "admin" || role === "member" ? role : role === undefined ? "member" : "other",
  hasJoined: joined,
});
