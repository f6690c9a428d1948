import { routes } from "#contract/routes.ts";
import type { Mount } from "../services.ts";
import { freshUser, type UserServices } from "../signed-in/read-session.ts";
import { changeProfile } from "./change-profile.ts";

export function changeProfileRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.changeProfile,
    async ({ signedIn, body, request, address }) => {
      await changeProfile(services, signedIn, body, address);
      return { user: await freshUser(services, request) };
    },
    { perMinute: 60 },
  );
}
