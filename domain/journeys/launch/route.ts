import { routes } from "#contract/routes.ts";
import type { Mount } from "../services.ts";
import { freshUser, type UserServices } from "../signed-in/read-session.ts";
import { setUpAccount } from "./set-up-account.ts";

export function launchRoutes(mount: Mount, services: UserServices): void {
  mount(routes.setUpAccount, async ({ signedIn, body, request, address }) => {
    await setUpAccount(services, signedIn, { ...body, address });
    return { user: await freshUser(services, request) };
  });
}
