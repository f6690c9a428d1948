/** Exchanges a one-time code for a session: from a magic link, from an operator, or from the owner's running workspace. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteLinks, findPerson } from "#domain/accounts/credential-store.ts";
import { findLink } from "#domain/accounts/links/link-token-store.ts";
import { takeLinkOfPerson } from "#domain/accounts/lock-person.ts";
import { isSessionOpen, openSession } from "#domain/accounts/sessions/session-store.ts";
import type { Mail } from "#domain/mail/mail.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { claimMailbox, confirmOwner, writeClaimNotice } from "../signed-in/claim-mailbox.ts";
import { isOwnSession } from "../signed-in/prove-registrant.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { rememberVisitor } from "../signed-in/known-browser.ts";
import type { OpenedSession } from "../signed-in/start-session.ts";
import { acceptWorkspaceCode } from "./accept-workspace-code.ts";
import { countCode } from "./count-code.ts";

/** Opens a session, once per code. `session` is the one the browser already has. Every refusal looks the same. */
export async function logInWithCode(
  services: Services,
  code: string,
  visitor: Visitor,
  session: CurrentUser | null,
): Promise<OpenedSession> {
  const { db } = services;
  const workspaceCode = services.workspace.readLoginCode(code);
  const counted = await countCode(services, { code, workspaceCode }, visitor.address);
  const notice = workspaceCode ? null : await noticeOfClaim(services, code);
  const opened = await db.transaction((tx) =>
    workspaceCode
      ? acceptWorkspaceCode(services, tx, workspaceCode, visitor)
      : acceptLink(services, tx, code, visitor, { session, notice }),
  );
  if (!opened) throw new AppError("login_code_invalid");
  await counted.takeBack();
  return opened;
}

/** Rendered before the transaction, in case the link is the first proof of the mailbox. */
async function noticeOfClaim(services: Services, code: string): Promise<Mail | null> {
  const link = await findLink(services.db, code, ["magic-link"]);
  const person = link && (await findPerson(services.db, link.userId));
  return person && !person.confirmedAt ? writeClaimNotice(services, person) : null;
}

async function acceptLink(
  { clock }: Services,
  tx: Connection,
  code: string,
  visitor: Visitor,
  { session, notice }: { session: CurrentUser | null; notice: Mail | null },
): Promise<OpenedSession | null> {
  const now = clock.now();
  const { address, device } = visitor;
  const link = await takeLinkOfPerson(tx, code, ["magic-link", "operator-code"], now);
  if (!link || link.person.email !== link.email || link.person.kind !== "member") return null;
  const { person } = link;
  const openedBy = link.purpose === "magic-link" ? "magic-link" : "operator";
  if (openedBy === "magic-link") {
    // The link proves who reads mail at this address. Only in the registration's browser is that certainly the registrant.
    if (!person.confirmedAt)
      await ((await isRegistrant(tx, session, person.userId))
        ? confirmOwner(tx, person, now)
        : claimMailbox(tx, person, { address, notice }, now));
    // Other pending links are no longer needed.
    await deleteLinks(tx, person.userId, ["magic-link"]);
  }
  await writeAudit(tx, { accountId: person.accountId, userId: person.userId, action: "session.opened", after: { openedBy }, address }, now);
  const token = await openSession(tx, { userId: person.userId, openedBy, device, address }, now);
  // An operator's visit makes no browser the customer's.
  return { token, openedBy, browser: openedBy === "magic-link" ? await rememberVisitor(tx, person.userId, visitor, now) : null };
}

/** The person is locked, so a session that is open here stays open. */
const isRegistrant = async (tx: Connection, session: CurrentUser | null, userId: string): Promise<boolean> =>
  isOwnSession(session, userId) && (await isSessionOpen(tx, session.sessionId));
