import { routes } from "#contract/routes.ts";
import { mostListedSessions, type Session } from "#contract/accounts/session.ts";
import { listSessions, type ListedSession } from "#domain/accounts/sessions/session-store.ts";
import { setBrowserCookie } from "#platform/http/browser-cookie.ts";
import { clearSessionCookie } from "#platform/http/session-cookie.ts";
import type { Mount, Services } from "../services.ts";
import { visitorOf } from "../signed-in/caller.ts";
import { endOtherSessions, endOwnSession } from "./end-own-sessions.ts";

export function ownSessionsRoutes(mount: Mount, services: Services): void {
  const { db, clock } = services;

  mount(routes.listSessions, async ({ signedIn: { userId, sessionId } }) => {
    const now = clock.now();
    const { sessions, total } = await listSessions(db, userId, { currentId: sessionId, most: mostListedSessions }, now);
    return { sessions: sessions.map((session) => sessionView(session, sessionId, now)), total };
  });
  mount(
    routes.endSession,
    async ({ signedIn, params, request, reply }) => {
      const { browser } = await endOwnSession(services, signedIn, params.id, visitorOf(request, services));
      if (browser !== null) setBrowserCookie(reply, services, browser);
      if (params.id === signedIn.sessionId) clearSessionCookie(reply, services.cookie);
    },
    { perMinute: 60 },
  );
  mount(
    routes.endOtherSessions,
    async ({ signedIn, request, reply }) => {
      const { ended, browser } = await endOtherSessions(services, signedIn, visitorOf(request, services));
      if (browser !== null) setBrowserCookie(reply, services, browser);
      return { ended };
    },
    { perMinute: 30 },
  );
}

/** Never later than now, even if the clock has been set back since. */
function sessionView({ id, openedBy, device, address, createdAt, lastSeenAt }: ListedSession, currentId: string, now: Date): Session {
  const until = (at: Date) => (at > now ? now : at).toISOString();
  return {
    id,
    openedBy,
    device,
    // An operator's is not the customer's business.
    address: openedBy === "operator" ? null : address,
    signedInAt: until(createdAt),
    lastSeenAt: until(lastSeenAt),
    isCurrent: id === currentId,
  };
}
