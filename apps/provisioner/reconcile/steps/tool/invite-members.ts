/** Invites people to an online workspace; domain/journeys/invite-teammates/invite-members.ts creates the rows. */
import { deliverInvitations } from "#domain/journeys/invite-teammates/deliver-invitations.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { EngineRefusal } from "../../../engines/engine.ts";
import { lookAgainMs } from "../../next-look.ts";
import { done, type Step } from "../../step.ts";

/** Comes last and never fails the pass: a failed invitation must not affect the workspace. */
export const inviteMembers: Step = {
  name: "invite-members",
  async run({ db, workspace, observed, engine, clock, log, publicUrl }) {
    const { members } = engine;
    if (!members) return done;
    const { id, accountId, accountName, ownerFullName, ownerLanguage } = workspace;
    const { address } = observed;
    try {
      const dueAt = await deliverInvitations({
        db,
        clock,
        log,
        workspace: { accountId, accountName, ownerFullName, ownerLanguage, url: workspaceUrl(publicUrl, accountName) },
        members: {
          invite: (email) => members.invite(address!, id, email),
          revoke: (email) => members.revoke(address!, id, email),
          list: () => members.list(address!, id),
          refusalOf: (error) => (error instanceof EngineRefusal ? error.message : undefined),
        },
      });
      return dueAt ? { kind: "done", againMs: Math.max(lookAgainMs, dueAt.getTime() - clock.now().getTime()) } : done;
    } catch (error) {
      log.warn({ err: error, workspaceId: id }, "invitations could not be passed on");
      return { kind: "done", againMs: lookAgainMs };
    }
  },
};
