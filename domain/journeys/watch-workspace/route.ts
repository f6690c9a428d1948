/** The workspace's status, live changes, and history. */
import { routes } from "#contract/routes.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { crashEvents } from "#domain/workspaces/journal-events.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import { streamEvents } from "#platform/http/stream-events.ts";
import { createStreamPlaces } from "#platform/http/stream-places.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount } from "../services.ts";
import type { UserServices } from "../signed-in/read-session.ts";

/** A screenful, plus one to know whether there is an older page. */
const linesPerPage = 50;

export function watchWorkspaceRoutes(mount: Mount, services: UserServices): void {
  // The caller was looked up together with their workspace: nothing is read twice.
  const view = (current: CurrentUser): Instance | null => current.workspace && instanceView(current, services.publicUrl, current.workspace);

  // Tabs that find no place poll instead.
  const places = createStreamPlaces({ perSession: 8, perAccount: 24 });

  mount(routes.getInstance, async ({ signedIn }) => {
    const instance = view(signedIn);
    if (!instance) throw new AppError("workspace_not_found");
    return instance;
  });

  mount(routes.instanceEvents, async ({ signedIn, request, reply }) => {
    if (!signedIn.workspace) throw new AppError("workspace_not_found");
    const token = sessionToken(request, services.cookie) ?? "";
    const left = places.take(signedIn.sessionId, signedIn.accountId);
    if (!left) throw new AppError("too_many_streams", { retryAfterSeconds: 60 });
    await streamEvents(request, reply, {
      event: "instance",
      read: async () => {
        const current = await services.findCurrentUser(token);
        return current && view(current);
      },
      follow: (onChange, onEnd) => services.watch.follow(signedIn.accountName, onChange, onEnd),
      left,
    });
  });

  mount(routes.getInstanceJournal, async ({ signedIn, query: { before, kind } }) => {
    if (!signedIn.workspace) throw new AppError("workspace_not_found");
    const page = {
      most: linesPerPage + 1,
      before: before === undefined ? undefined : BigInt(before),
      events: kind === "crashes" ? crashEvents : undefined,
    };
    const lines = await readJournal(services.db, signedIn.workspace.id, page);
    const shown = lines.slice(0, linesPerPage);
    return {
      entries: shown.map(({ id, at, event, message, detail, actor }) => ({
        id: String(id),
        at: at.toISOString(),
        event,
        message,
        detail,
        by: actor,
      })),
      next: lines.length > linesPerPage ? String(shown.at(-1)!.id) : null,
    };
  });
}
