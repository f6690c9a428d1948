/** A workspace's output, once and as it is written, its people and community nodes, as its owner sees them. */
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { communityNode } from "#contract/workspaces/community-nodes.ts";
import type { Member } from "#contract/accounts/member.ts";
import { routes } from "#contract/routes.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { forgetAnswer, readLook, type LookKind } from "#domain/workspaces/observed/look-store.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import { readUsersLimit } from "#domain/plans/users-limit.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import { openEventStream } from "#platform/http/stream-events.ts";
import { createStreamPlaces } from "#platform/http/stream-places.ts";
import type { Mount, Services } from "../services.ts";
import type { UserServices } from "../signed-in/read-session.ts";
import { followOutput, printed } from "./follow-output.ts";
import { lookInto, type LookAnswer } from "./look-into.ts";

const kept = z.object({ gzip: z.string() });
const present = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      joined: z.boolean(),
      role: z.string().optional(),
      name: z.string().optional(),
      lastActiveOn: z.iso.date().optional(),
    }),
  ),
});

const added = z.object({ isOffered: z.boolean(), nodes: z.array(communityNode) });

export function lookIntoWorkspaceRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.getInstanceLogs,
    async ({ signedIn: { workspace } }) => {
      if (!workspace) throw new AppError("workspace_not_found");
      const { look, isCurrent } = await lookInto(services, workspace.id, "logs");
      return { text: printed.safeParse(look?.answer).data?.text ?? "", readAt: look?.answeredAt?.toISOString() ?? null, isCurrent };
    },
    { perMinute: 60, head: async ({ signedIn }) => refuseWithoutWorkspace(signedIn) },
  );

  // Only visible pages follow.
  const places = createStreamPlaces({ perSession: 4, perAccount: 12 });
  mount(
    routes.instanceOutput,
    async ({ signedIn: { workspace, sessionId, accountId }, request, reply }) => {
      if (!workspace) throw new AppError("workspace_not_found");
      const token = sessionToken(request, services.cookie) ?? "";
      const left = places.take(sessionId, accountId);
      if (!left) throw new AppError("too_many_streams", { retryAfterSeconds: 60 });
      const stream = openEventStream(reply);
      if (!stream) return left();
      const isAllowed = async () => (await services.findCurrentUser(token))?.workspace?.id === workspace.id;
      await followOutput(services, { workspaceId: workspace.id, stream, isAllowed, left });
    },
    { perMinute: 60 },
  );

  mount(
    routes.downloadInstanceLogs,
    async ({ signedIn: { workspace, accountName }, reply }) => {
      if (!workspace) throw new AppError("workspace_not_found");
      const day = services.clock.now().toISOString().slice(0, 10);
      await reply
        .header("content-disposition", `attachment; filename="${accountName}-${day}.log"`)
        .type("text/plain; charset=utf-8")
        .send(await readKept(services, workspace.id));
    },
    { perMinute: 10, head: async ({ signedIn }) => refuseWithoutWorkspace(signedIn) },
  );

  mount(
    routes.listCommunityNodes,
    async ({ signedIn }) => {
      if (!signedIn.workspace) throw new AppError("workspace_not_found");
      if (!services.workspace.hasCommunityNodes) return { isOffered: false, nodes: [], askedAt: null, isCurrent: true };
      const { look, isCurrent } = await askWhileOnline(services, signedIn, "community-nodes");
      const { isOffered, nodes } = added.safeParse(look?.answer).data ?? { isOffered: true, nodes: [] };
      return { isOffered, nodes, askedAt: look?.answeredAt?.toISOString() ?? null, isCurrent };
    },
    { perMinute: 60, head: async ({ signedIn }) => refuseWithoutWorkspace(signedIn) },
  );

  mount(
    routes.listMembers,
    async ({ signedIn }) => {
      const { look, isCurrent } = await askWhileOnline(services, signedIn, "members");
      const owner: Member = {
        id: signedIn.userId,
        email: signedIn.email,
        name: signedIn.fullName,
        role: "owner",
        hasJoined: true,
        lastActiveOn: null,
      };
      const members = (present.safeParse(look?.answer).data?.members ?? []).map(memberView);
      const askedAt = look?.answeredAt?.toISOString() ?? null;
      return { members: [owner, ...members], askedAt, isCurrent, usersLimit: await readUsersLimit(services.db, signedIn.planSpec) };
    },
    { perMinute: 60, head: async () => undefined },
  );
}

function refuseWithoutWorkspace({ workspace }: CurrentUser): void {
  if (!workspace) throw new AppError("workspace_not_found");
}

/** Concurrent downloads of one workspace: each empties the answer that it has read. */
const mostAsked = 5;

/** All stored output; if the host does not respond, the last known output, marked as such. */
async function readKept(services: Services, workspaceId: string): Promise<Readable> {
  for (let asked = 0; asked < mostAsked; asked += 1) {
    const { look, isCurrent } = await lookInto(services, workspaceId, "kept-logs");
    if (!isCurrent) break;
    const answer = kept.safeParse(look?.answer).data;
    if (!answer) continue;
    // It is large, and is not shown again.
    await forgetAnswer(services.db, look!);
    return Readable.from([Buffer.from(answer.gzip, "base64")]).pipe(createGunzip());
  }
  const before = await readLook(services.db, workspaceId, "logs");
  const since = before?.answeredAt ? ` These lines are from ${before.answeredAt.toISOString()}.` : "";
  return Readable.from([`The workspace's host did not respond.${since}\n${printed.safeParse(before?.answer).data?.text ?? ""}`]);
}

/** Only an online workspace can list its people and community nodes. */
async function askWhileOnline(services: Services, { workspace }: CurrentUser, kind: LookKind): Promise<LookAnswer> {
  if (!workspace) return { look: undefined, isCurrent: true };
  const isAsleep = workspace.asleepSince !== null || workspace.coldSince !== null;
  if (workspaceStatus(workspace) === instanceStatus.online) return lookInto(services, workspace.id, kind, isAsleep);
  return { look: await readLook(services.db, workspace.id, kind), isCurrent: false };
}

const memberView = ({ id, email, joined, role, name, lastActiveOn }: z.infer<typeof present>["members"][number]): Member => ({
  id,
  email,
  name: name || null,
  role: role === "admin" || role === "member" ? role : role === undefined ? "member" : "other",
  hasJoined: joined,
  lastActiveOn: lastActiveOn ?? null,
});
