/** The workspace as it is, as it changes, and what happened to it. */
import { routes } from "#contract/routes.ts";
import type { Instance } from "#contract/workspace.ts";
import { findWorkspace, readJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl, workspaceView } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import { streamEvents } from "#platform/http/stream-events.ts";
import type { FindCurrentUser } from "../current-user/current-user-query.ts";
import type { Mount, Services } from "../services.ts";

/** 50 lines fill a screen; the whole journal is the operator's. */
const journalLines = 50;

export function watchWorkspaceRoutes(mount: Mount, services: Services & { findCurrentUser: FindCurrentUser }): void {
  const read = async (accountId: string, accountName: string): Promise<Instance | null> => {
    const workspace = await findWorkspace(services.db, accountId);
    return workspace && workspaceView(workspace, workspaceUrl(services.publicUrl, accountName));
  };

  mount(routes.getInstance, async ({ signedIn }) => {
    const instance = await read(signedIn.accountId, signedIn.accountName);
    if (!instance) throw new AppError("workspace_not_found");
    return instance;
  });

  mount(routes.instanceEvents, async ({ signedIn, request, reply }) => {
    if (!signedIn.workspace) throw new AppError("workspace_not_found");
    const token = sessionToken(request, services.cookie) ?? "";
    await streamEvents(request, reply, {
      event: "instance",
      read: async () => ((await services.findCurrentUser(token)) ? read(signedIn.accountId, signedIn.accountName) : null),
      follow: (onChange, onEnd) => services.watch.follow(signedIn.accountName, onChange, onEnd),
    });
  });

  mount(routes.getInstanceJournal, async ({ signedIn }) => {
    if (!signedIn.workspace) throw new AppError("workspace_not_found");
    const lines = await readJournal(services.db, signedIn.workspace.id, journalLines);
    return { entries: lines.map((line) => ({ at: line.at.toISOString(), event: line.event, message: line.message, detail: line.detail })) };
  });
}
