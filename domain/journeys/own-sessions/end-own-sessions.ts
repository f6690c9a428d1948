/** A user signs out other devices: one of their sessions, or all except the current one. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteLinks } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { forgetBrowsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { closeSessionOf, closeSessions } from "#domain/accounts/sessions/session-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { rememberVisitor } from "../signed-in/known-browser.ts";

/**
 * Ends this session of the caller. Refuses an unknown session and another user's alike. With another session every other browser is
 * forgotten, too; returns this one's new token, if it has one.
 */
export async function endOwnSession(
  { db, clock }: Services,
  current: CurrentUser,
  id: string,
  visitor: Visitor,
): Promise<{ browser: string | null }> {
  const isOther = id !== current.sessionId;
  return inTurn(db, current, async (tx) => {
    const closed = await closeSessionOf(tx, current.userId, id);
    if (!closed) throw new AppError("not_found");
    await writeAudit(tx, { ...by(current, visitor.address), action: "session.ended", before: closed }, clock.now());
    return { browser: isOther ? await keepThisBrowser(tx, current, visitor, clock.now()) : null };
  });
}

/** Ends all sessions of the caller except this one and returns how many; pending links end, and other browsers are forgotten, too. */
export async function endOtherSessions(
  { db, clock }: Services,
  current: CurrentUser,
  visitor: Visitor,
): Promise<{ ended: number; browser: string | null }> {
  return inTurn(db, current, async (tx) => {
    const ended = await closeSessions(tx, current.userId, current.sessionId);
    await deleteLinks(tx, current.userId, ["magic-link", "operator-code"]);
    // A row that is kept for good says what was ended, not how often nothing was.
    if (ended > 0)
      await writeAudit(tx, { ...by(current, visitor.address), action: "sessions.ended", before: { sessions: ended } }, clock.now());
    return { ended, browser: await keepThisBrowser(tx, current, visitor, clock.now()) };
  });
}

async function keepThisBrowser(tx: Connection, { userId }: CurrentUser, visitor: Visitor, now: Date): Promise<string | null> {
  await forgetBrowsers(tx, userId);
  return rememberVisitor(tx, userId, visitor, now);
}

const by = ({ accountId, userId }: CurrentUser, address: string) => ({ accountId, userId, address });

/** One at a time for each user: a session that has just been ended by another one cannot end others. */
function inTurn<Answer>(db: Services["db"], { userId, sessionId }: CurrentUser, end: (tx: Connection) => Promise<Answer>): Promise<Answer> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, { userId, sessionId });
    return end(tx);
  });
}
