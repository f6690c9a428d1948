import { writeAudit } from "#domain/audit/audit-store.ts";
import { findByLogin } from "#domain/accounts/account-store.ts";
import { findPerson, setKind } from "#domain/accounts/credential-store.ts";
import { revokeAccess } from "#domain/accounts/revoke-access.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { noAccount } from "../account-of.ts";
import { CommandRefused, type Command } from "../command.ts";

/**
 * Makes a person a publisher, who only publishes workflows and has neither a workspace nor access to the panel, or turns a publisher back
 * into a member.
 */
export const setPublisher: Command = {
  name: "set-publisher",
  parameters: ["email or account name"],
  options: { undo: { type: "boolean", summary: "make them a member again" } },
  summary: "Limit this person to publishing workflows: they are signed out and lose access to the panel",
  async run({ db, clock, operator, print }, { arguments: [login = ""], options }) {
    const found = await findByLogin(db, login.toLowerCase());
    if (!found) throw noAccount(login);
    const kind = options["undo"] ? "member" : "publisher";
    await db.transaction(async (tx) => {
      const person = (await findPerson(tx, found.userId, { lock: true }))!;
      const workspace = await findWorkspace(tx, person.accountId);
      if (kind === "publisher" && workspace && workspace.desiredState !== "deleted")
        throw new CommandRefused(`${login} has a workspace. Delete it first.`);
      await setKind(tx, person.userId, kind);
      if (kind === "publisher") await revokeAccess(tx, person.userId);
      await writeAudit(
        tx,
        {
          accountId: person.accountId,
          userId: null,
          action: "person.kind-changed",
          before: { kind: person.kind },
          after: { kind, operator },
        },
        clock.now(),
      );
    });
    print(kind === "publisher" ? `${login} is now a publisher and was signed out.` : `${login} is a member again.`);
  },
};
