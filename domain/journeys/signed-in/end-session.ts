import { writeAuditOf } from "#domain/audit/audit-store.ts";
import { closeSession } from "#domain/accounts/session-store.ts";
import type { Services } from "../services.ts";

/** Ends the session of this token, on the record; an unknown token is fine. */
export async function endSession({ db, clock }: Services, token: string, address: string): Promise<void> {
  await db.transaction(async (tx) => {
    const closed = await closeSession(tx, token);
    if (closed)
      await writeAuditOf(tx, closed.userId, { action: "session.closed", before: { openedBy: closed.openedBy }, address }, clock.now());
  });
}
