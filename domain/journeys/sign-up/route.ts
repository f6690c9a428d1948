import { routes } from "#contract/routes.ts";
import { hashedAtOnce } from "#domain/accounts/password.ts";
import { startSession } from "../signed-in/start-session.ts";
import { visitorOf } from "../signed-in/caller.ts";
import type { Mount, Services } from "../services.ts";
import type { UserServices } from "../signed-in/read-session.ts";
import { signUp } from "./sign-up.ts";
import { isReservedAccountName } from "#contract/accounts/reserved-names.ts";
import { isNameInUse } from "#domain/accounts/account-store.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { useChallenge } from "#domain/challenges/used-challenge-store.ts";
import { AppError } from "#platform/app-error.ts";

export function signUpRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.register,
    async ({ body, request, reply, address }) => {
      await passChallenge(services, body.challenge, address);
      return startSession(services, reply, await signUp(services, body, visitorOf(request, services)));
    },
    // A person needs a few attempts; a script that fills the table needs many.
    { perMinute: 20, byAddress: true, atOnce: hashedAtOnce + 1 },
  );
  mount(routes.getChallenge, () => services.challenge.offer(), { perMinute: 60 });
  // One for each pause in typing.
  mount(routes.checkAccountName, async ({ params }) => ({ available: await isAccountNameFree(services, params.name) }), { perMinute: 60 });
}

/** Whether a name can be registered now. Names are public anyway: each is part of a workspace's URL. */
async function isAccountNameFree({ db }: Services, name: string): Promise<boolean> {
  return !isReservedAccountName(name) && !(await isNameInUse(db, name));
}

/** Refuses an answer that is wrong, expired or already used, as a problem of the field `challenge`. A valid one is used up. */
async function passChallenge({ challenge, db, clock }: Services, answer: string, address: string): Promise<void> {
  const solved = await challenge.check(answer, address);
  if (solved === null) return;
  if (typeof solved === "string") throw refusal(solved);
  if (!(await useChallenge(db, solved, clock.now()))) throw refusal("challenge.invalid");
}

const refusal = (code: FieldCode): AppError =>
  new AppError("validation_failed", { errors: [{ path: "challenge", code, message: fieldMessage(code) }] });
