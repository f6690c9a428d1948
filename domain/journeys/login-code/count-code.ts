/** Counts codes that are presented, by the address that presents them. */
import { findPerson, type Person } from "#domain/accounts/credential-store.ts";
import { findLink } from "#domain/accounts/links/link-token-store.ts";
import { addressSubject, countAttempt, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services, WorkspaceCode } from "../services.ts";
import { findVouchedOwner } from "./accept-workspace-code.ts";

interface CountedCode {
  /** Whom the code would sign in, as far as a look can tell. */
  holder: Person | null;
  /** Uncounts a code that was accepted. */
  takeBack(): Promise<void>;
}

/**
 * By whom a call with a code that works now is counted, and has its place in the queue; null for any other code. Code in a workspace can
 * write codes for its owner all day: they neither take the place nor use up the calls of a mailed link.
 */
export async function codeHolder(services: Services, code: string): Promise<string | null> {
  const workspaceCode = services.workspace.readLoginCode(code);
  const holder = workspaceCode ? await findVouchedOwner(services, services.db, workspaceCode) : await findLinkHolder(services, code);
  return holder && (workspaceCode ? `code of workspace ${workspaceCode.workspaceId}` : `link of ${holder.userId}`);
}

/**
 * Counts the attempt. An address that has guessed too often is refused, unless its code is a valid one: strangers at the same address
 * cannot shut out the reader of a mail, and no one guesses 256 bits.
 */
export async function countCode(
  services: Services,
  { code, workspaceCode }: { code: string; workspaceCode: WorkspaceCode | null },
  address: string,
): Promise<CountedCode> {
  const { db, clock } = services;
  const counted = await countAttempt(db, "sign-in-address", addressSubject(address), clock.now());
  const holder = workspaceCode ? await findVouchedOwner(services, db, workspaceCode) : await findLinkHolder(services, code);
  if (!("waitSeconds" in counted)) return { holder, takeBack: () => takeBackAttempt(db, counted) };
  if (!holder) throw new AppError("too_many_sign_ins", { retryAfterSeconds: counted.waitSeconds, internal: "sign-in-address rests" });
  return { holder, takeBack: () => Promise.resolve() };
}

async function findLinkHolder({ db, clock }: Services, code: string): Promise<Person | null> {
  const link = await findLink(db, code, ["magic-link", "operator-code"]);
  const person = link && link.expiresAt > clock.now() ? await findPerson(db, link.userId) : null;
  return person && person.email === link?.email && person.kind === "member" ? person : null;
}
