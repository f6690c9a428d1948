/** The members in the workspace's own user management, as last reported. */
import { z } from "zod";
import { defineRoute } from "../api/route.ts";

export const memberRoles = ["owner", "admin", "member", "other"] as const;

export const member = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(memberRoles),
    hasJoined: z.boolean(),
    lastActiveOn: z.iso
      .date()
      .nullable()
      .meta({ description: "the day on which they last used the workspace, in UTC; null: never, or not reported" }),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;

export const listMembers = defineRoute({
  method: "GET",
  path: "/account/members",
  tag: "Invitations",
  summary: "The workspace's members, the owner first",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      members: z.array(member),
      askedAt: z.iso.datetime().nullable().meta({ description: "when the workspace last reported its members; null: never" }),
      isCurrent: z.boolean().meta({ description: "false: the workspace could not be reached just now" }),
      usersLimit: z.number().int().meta({ description: "people the plan allows, the owner included; -1: any number" }),
    }),
  },
  writes: "question",
  problems: [],
});
