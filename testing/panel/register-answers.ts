/** What the API answers to someone who registers: with its own challenge, and the same refusals. */
import { isReservedAccountName } from "#contract/accounts/reserved-names.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { altcha } from "#domain/challenges/altcha-challenge.ts";
import { refusePoorPassword } from "#domain/journeys/signed-in/refuse-poor-password.ts";
import { noBreachedPasswords } from "#domain/passwords/breached-passwords.ts";
import { AppError } from "#platform/app-error.ts";
import { systemClock } from "#platform/clock.ts";
import { createSecrets } from "#platform/secrets.ts";
import type { Answers } from "./panel-answers.ts";
import type { PanelServer } from "./serve-panel.ts";
import { buildNewcomer, signUpAnswers } from "./sign-up-answers.ts";

/** The names and addresses of accounts that exist. */
export interface Taken {
  accountNames: Set<string>;
  emails: Set<string>;
}

/** Few tries: a test's browser solves it quickly, as those of the whole product's tests do. */
const mostTries = 20;

/** For the panel's visitor, who becomes a customer with a session and the sign-up before them. */
export function registerAnswers(panel: PanelServer, taken: Taken = { accountNames: new Set(), emails: new Set() }): Answers {
  const secrets = createSecrets("a key for tests, long enough to be one");
  const challenge = altcha({ secrets, clock: systemClock, maxNumber: mostTries });
  const used = new Set<string>();
  const isTaken = (name: string) => isReservedAccountName(name) || taken.accountNames.has(name);

  async function passChallenge(answer: string): Promise<void> {
    const solved = await challenge.check(answer, "127.0.0.1");
    if (solved === null) return;
    if (typeof solved === "string") throw refusal("validation_failed", "challenge", solved);
    if (used.has(solved.id)) throw refusal("validation_failed", "challenge", "challenge.invalid");
    used.add(solved.id);
  }

  return {
    getChallenge: () => challenge.offer(),
    checkAccountName: ({ params }) => ({ available: !isTaken(params.name) }),
    async register({ body }) {
      const { fullName, accountName, email, password, templateId } = body;
      await passChallenge(body.challenge);
      if (isTaken(accountName)) throw refusal("account_name_taken", "accountName", "account_name.taken");
      if (taken.emails.has(email)) throw refusal("email_taken", "email", "email.taken");
      await refusePoorPassword({ passwords: { operatorNames: [], breached: noBreachedPasswords } }, password, body);
      taken.accountNames.add(accountName);
      taken.emails.add(email);
      const user = buildNewcomer({ fullName, username: accountName, email, templateId: templateId ?? null });
      const person = panel.signIn({ user, config: panel.visitor.state.config });
      person.answers = signUpAnswers();
      return { token: person.token, user };
    },
  };
}

const refusal = (code: "validation_failed" | "account_name_taken" | "email_taken", path: string, field: FieldCode): AppError =>
  new AppError(code, { errors: [{ path, code: field, message: fieldMessage(field) }] });
