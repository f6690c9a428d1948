import { routes } from "#contract/routes.ts";
import type { Mount } from "../services.ts";
import { refuseWorkspaceSession } from "../signed-in/password-guards.ts";
import { freshUser, type UserServices } from "../signed-in/read-session.ts";
import { changeProfile } from "./change-profile.ts";

export function changeProfileRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.changeProfile,
    async ({ signedIn, body, request, address }) => {
      // Code in a workspace can open a session of its owner, and must not be able to turn off the mails that would alert the owner.
      if (body.mutedMails) refuseWorkspaceSession(signedIn);
      await changeProfile(services, signedIn, body, address);
      return { user: await freshUser(services, request) };
    },
    { perMinute: 60 },
  );
}
