import { routes } from "#contract/routes.ts";
import { hashedAtOnce } from "#domain/accounts/password.ts";
import { startSession } from "../signed-in/start-session.ts";
import { visitorOf } from "../signed-in/caller.ts";
import type { Mount, Services } from "../services.ts";
import type { UserServices } from "../signed-in/read-session.ts";
import { knownCustomer } from "./known-customer.ts";
import { signUp } from "./sign-up.ts";
import { isReservedAccountName } from "#contract/accounts/reserved-names.ts";
import { isNameInUse } from "#domain/accounts/account-store.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { refuseTooManyRegistrations } from "#domain/attempts/limit-registrations.ts";
import { useChallenge } from "#domain/challenges/used-challenge-store.ts";
import { AppError } from "#platform/app-error.ts";
import { limitLines } from "#platform/limit-lines.ts";

export function signUpRoutes(mount: Mount, services: UserServices): void {
  const { db, log, registrationsPerDay } = services;
  // For the operator: a proxy that is not trusted makes all visitors one address.
  const mayWarn = limitLines({ perMinute: 5, onLeftOut: (_key, lines) => log.warn({ lines }, "further registrations were refused") });
  const warnOfLimit = (error: unknown, address: string): never => {
    if (error instanceof AppError && error.code === "too_many_requests" && mayWarn("all"))
      log.warn({ address, reason: error.message }, "a registration was refused: its address or network has had a day's accounts");
    throw error;
  };
  mount(
    routes.register,
    async ({ body, request, reply, address }) => {
      const customerId = await knownCustomer(services, request);
      await refuseTooManyRegistrations(db, { address, customerId }, registrationsPerDay).catch((error: unknown) =>
        warnOfLimit(error, address),
      );
      await passChallenge(services, body.challenge, address);
      const opened = signUp(services, body, visitorOf(request, services), customerId).catch((error: unknown) =>
        warnOfLimit(error, address),
      );
      return startSession(services, reply, await opened);
    },
    // A person needs a few attempts; a script that fills the table needs many, and has a limit of accounts a day as well.
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
