/** The workspace as it is, as it changes, and what happened to it. */
import { routes } from "#contract/routes.ts";
import type { Instance } from "#contract/workspace.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl, workspaceView } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import { streamEvents } from "#platform/http/stream-events.ts";
import type { CurrentUser, FindCurrentUser } from "../current-user/current-user-query.ts";
import type { Mount, Services } from "../services.ts";

/** 50 lines fill a screen; the whole journal is the operator's. */
const journalLines = 50;

export function watchWorkspaceRoutes(mount: Mount, services: Services & { findCurrentUser: FindCurrentUser }): void {
  // Who is asking was looked up together with their workspace: nothing is read twice.
  const view = ({ workspace, accountName }: CurrentUser): Instance | null => workspace && workspaceView(workspace, workspaceUrl(services.publicUrl, accountName));

  mount(routes.getInstance, async ({ signedIn }) => {
    const instance = view(signedIn);
    if (!instance) throw new AppError("workspace_not_found");
    return instance;
  });

  mount(routes.instanceEvents, async ({ signedIn, request, reply }) => {
    if (!signedIn.workspace) throw new AppError("workspace_not_found");
    const token = sessionToken(request, services.cookie) ?? "";
    await streamEvents(request, reply, {
      event: "instance",
      read: async () => {
        const current = await services.findCurrentUser(token);
        return current && view(current);
      },
      follow: (onChange, onEnd) => services.watch.follow(signedIn.accountName, onChange, onEnd),
    });
  });

  mount(routes.getInstanceJournal, async ({ signedIn }) => {
    if (!signedIn.workspace) throw new AppError("workspace_not_found");
    const lines = await readJournal(services.db, signedIn.workspace.id, journalLines);
    return { entries: lines.map((line) => ({ at: line.at.toISOString(), event: line.event, message: line.message, detail: line.detail })) };
  });
}
