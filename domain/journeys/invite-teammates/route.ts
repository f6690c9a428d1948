import { routes } from "#contract/routes.ts";
import { listInvitations } from "#domain/invitations/invitation-store.ts";
import { lookSoon } from "#domain/workspaces/observed/due-store.ts";
import type { Mount, Services } from "../services.ts";
import { resendInvitation, revokeInvitation } from "./change-invitation.ts";
import { invitationView } from "./invitation-view.ts";
import { inviteMembers } from "./invite-members.ts";
import { readUsersLimit } from "#domain/plans/users-limit.ts";

export function inviteTeammatesRoutes(mount: Mount, services: Services): void {
  const { db, clock } = services;

  mount(routes.inviteMembers, ({ signedIn, body, address }) => inviteMembers(services, signedIn, body.emails, address), { perMinute: 20 });
  mount(
    routes.listInvitations,
    async ({ signedIn }) => {
      const now = clock.now();
      const rows = await listInvitations(db, signedIn.accountId);
      // The owner is watching: check within seconds whether a person has joined, instead of within a minute.
      if (rows.some(({ state }) => state === "sent")) await lookSoon(db, signedIn.accountId, now);
      return { invitations: rows.map((row) => invitationView(row, now)), usersLimit: await readUsersLimit(db, signedIn.planSpec) };
    },
    { head: async () => undefined },
  );
  mount(routes.resendInvitation, ({ signedIn, params, address }) => resendInvitation(services, signedIn, params.id, address), {
    perMinute: 30,
  });
  mount(routes.revokeInvitation, ({ signedIn, params, address }) => revokeInvitation(services, signedIn, params.id, address), {
    perMinute: 60,
  });
}
