/** A one-time code, for a session: from a magic link, from an operator, or from the owner's own running workspace. */
import { confirmUser } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { deleteLinks, findPerson } from "#domain/accounts/credential-store.ts";
import { takeLink } from "#domain/accounts/link-token-store.ts";
import { openSession, type SessionOpening } from "#domain/accounts/session-store.ts";
import { addressSubject, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../sign-in/visitor.ts";
import { acceptWorkspaceCode } from "./accept-workspace-code.ts";

export interface OpenedSession {
  token: string;
  openedBy: SessionOpening;
}

/** Opens a session, once per code. Every reason to refuse looks the same. */
export async function logInWithCode(services: Services, code: string, visitor: Visitor): Promise<OpenedSession> {
  const { db, clock } = services;
  const attempt = await refuseTooManyAttempts(db, "sign-in-address", addressSubject(visitor.address), clock.now());
  const workspaceCode = services.workspace.readLoginCode(code);
  const opened = await db.transaction((tx) => (workspaceCode ? acceptWorkspaceCode(services, tx, workspaceCode, visitor) : acceptLink(services, tx, code, visitor)));
  if (!opened) throw new AppError("login_code_invalid");
  await takeBackAttempt(db, attempt);
  return opened;
}

async function acceptLink({ clock }: Services, tx: Connection, code: string, { address, device }: Visitor): Promise<OpenedSession | null> {
  const now = clock.now();
  const link = await takeLink(tx, code, ["magic-link", "operator-code"], now);
  const person = link && (await findPerson(tx, link.userId, { lock: true }));
  if (!person || person.email !== link.email || person.kind !== "member") return null;
  const openedBy = link.purpose === "magic-link" ? "magic-link" : "operator";
  if (openedBy === "magic-link") {
    // Whoever opened the link reads mail at this address; its sisters have done their work too.
    if (!person.confirmedAt) await confirmUser(tx, person.userId, now);
    await deleteLinks(tx, person.userId, ["magic-link"]);
  }
  await writeAudit(tx, { accountId: person.accountId, userId: person.userId, action: "session.opened", after: { openedBy }, address }, now);
  return { token: await openSession(tx, { userId: person.userId, openedBy, device }, now), openedBy };
}
