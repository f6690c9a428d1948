import { writeAudit } from "#domain/audit/audit-store.ts";
import { findByLogin } from "#domain/accounts/account-store.ts";
import { findPerson } from "#domain/accounts/credential-store.ts";
import { revokeAccess } from "#domain/accounts/revoke-access.ts";
import { noAccount } from "../account-of.ts";
import type { Command } from "../command.ts";

/** Signs a customer out everywhere and invalidates mailed links, for example after a stolen laptop or session. */
export const endSessions: Command = {
  name: "end-sessions",
  parameters: ["email or account name"],
  summary: "Sign this customer out everywhere, and invalidate the links in mails sent to them",
  async run({ db, clock, operator, print }, { arguments: [login = ""] }) {
    const found = await findByLogin(db, login.toLowerCase());
    if (!found) throw noAccount(login);
    const closed = await db.transaction(async (tx) => {
      const person = (await findPerson(tx, found.userId, { lock: true }))!;
      const count = await revokeAccess(tx, person.userId);
      await writeAudit(
        tx,
        { accountId: person.accountId, userId: null, action: "sessions.ended", before: { sessions: count }, after: { operator } },
        clock.now(),
      );
      return count;
    });
    print(`${login} was signed out of ${closed} ${closed === 1 ? "session" : "sessions"}.`);
  },
};
