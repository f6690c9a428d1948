/** Whose account a code opens: shown before use, so that a link cannot lead a visitor into a stranger's account (decision 0077). */
import { findPerson, type Person } from "#domain/accounts/credential-store.ts";
import { findLink } from "#domain/accounts/links/link-token-store.ts";
import { addressSubject, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import { findVouchedOwner } from "./accept-workspace-code.ts";

/** The account's name; uses nothing up. An invalid code is refused and counted as an attempt, as when it is used. */
export async function readCodeHolder(services: Services, code: string, address: string): Promise<{ accountName: string }> {
  const attempt = await refuseTooManyAttempts(services.db, "sign-in-address", addressSubject(address), services.clock.now());
  const workspaceCode = services.workspace.readLoginCode(code);
  const person = workspaceCode ? await findVouchedOwner(services, services.db, workspaceCode) : await findLinkHolder(services, code);
  if (!person) throw new AppError("login_code_invalid");
  await takeBackAttempt(services.db, attempt);
  return { accountName: person.accountName };
}

async function findLinkHolder({ db, clock }: Services, code: string): Promise<Person | null> {
  const link = await findLink(db, code, ["magic-link", "operator-code"]);
  const person = link && link.expiresAt > clock.now() ? await findPerson(db, link.userId) : null;
  return person && person.email === link?.email && person.kind === "member" ? person : null;
}
