/** Lets the control plane invite people to n8n's own user management, list who joined, and revoke invitations. */
import type { Response } from "../../../workspace-side/handler.mts";
import { withoutMail } from "./member-mails.mts";
import { findOwner, type Handler, type HookContext, type Internals, type User } from "../internals.mts";

interface MemberRoutes {
  /** All users but the owner, joined or not. */
  list: Handler;
  /** Invites as a member; inviting the same address again finds the pending user and makes a fresh link. */
  invite: Handler;
  /** Revokes a pending invitation; a person who has joined stays, and the answer says so. */
  revoke: Handler;
}

const nameOf = ({ firstName, lastName }: User): string => [firstName, lastName].filter(Boolean).join(" ");
/** YYYY-MM-DD. */
const dayOf = (day: User["lastActiveAt"]): string | undefined => (day instanceof Date ? day.toISOString() : day)?.slice(0, 10);
const hasJoined = (user: User): boolean => user.password !== null;

/** The handlers; mount each behind the check of the control plane's token. */
export function createMemberRoutes(context: HookContext, internals: Internals): MemberRoutes {
  const { User } = context.dbCollections;
  const findByEmail = (email: string) => User.findOne({ where: { email } });

  return {
    list: async (_request, response) => {
      const users = await User.find({ relations: ["role"] });
      const members = users.filter((user) => user.email !== null && user.role?.slug !== "global:owner");
      response.json({
        members: members.map((user) => ({
          id: user.id,
          email: user.email,
          joined: hasJoined(user),
          role: user.role?.slug.replace(/^global:/, ""),
          name: nameOf(user),
          lastActiveOn: dayOf(user.lastActiveAt),
        })),
      });
    },
    invite: withEmail(async (email, owner, response) => {
      const known = await findByEmail(email);
      if (known !== null && hasJoined(known)) return response.json({ memberId: known.id, acceptPath: null });
      const [invited] = await withoutMail(() => internals.users.inviteUser(owner, [{ email, role: "global:member" }]));
      const link = invited?.user.inviteAcceptUrl;
      if (link === undefined) return response.status(500).json({ message: invited?.error || "n8n made no link" });
      // n8n knows its address from its environment; the control plane knows the current one.
      const { pathname, search } = new URL(link);
      return response.json({ memberId: invited!.user.id, acceptPath: pathname + search });
    }),
    revoke: withEmail(async (email, owner, response) => {
      const known = await findByEmail(email);
      if (known !== null && hasJoined(known)) return response.json({ revoked: false });
      if (known !== null) await internals.users.deleteUser(owner, known.id);
      return response.json({ revoked: true });
    }),
  };

  function withEmail(handle: (email: string, owner: User, response: Response) => Promise<unknown>): Handler {
    return async (request, response) => {
      const { email } = (request.body ?? {}) as Record<string, unknown>;
      if (typeof email !== "string" || !email.includes("@")) return response.status(422).json({ message: "email is needed" });
      const owner = await findOwner(context);
      if (owner === undefined) return response.status(503).json({ message: "this workspace has no owner yet" });
      try {
        return await handle(email.toLowerCase(), owner, response);
      } catch (error) {
        // n8n's own refusals carry their HTTP status.
        const { httpStatusCode, message } = error as Error & { httpStatusCode?: number };
        return response.status(httpStatusCode !== undefined && httpStatusCode < 500 ? 409 : 500).json({ message });
      }
    };
  }
}
