import { routes } from "#contract/routes.ts";
import { hashedAtOnce } from "#domain/accounts/password.ts";
import { startSession } from "../signed-in/start-session.ts";
import { visitorOf } from "../signed-in/caller.ts";
import type { Mount } from "../services.ts";
import type { UserServices } from "../signed-in/read-session.ts";
import { isAccountNameFree } from "./is-account-name-free.ts";
import { passChallenge } from "./pass-challenge.ts";
import { signUp } from "./sign-up.ts";

export function signUpRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.register,
    async ({ body, request, reply, address }) => {
      await passChallenge(services, body.challenge, address);
      return startSession(services, reply, await signUp(services, body, visitorOf(request)));
    },
    // A person needs a few attempts; a script that fills the table needs many.
    { perMinute: 20, atOnce: hashedAtOnce + 1 },
  );
  mount(routes.getChallenge, () => services.challenge.offer(), { perMinute: 60 });
  // One for each pause in typing.
  mount(routes.checkAccountName, async ({ params }) => ({ available: await isAccountNameFree(services, params.name) }), { perMinute: 60 });
}
