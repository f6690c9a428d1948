/** Invitations to the workspace: created at any time, sent once the workspace is online. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";
import { defineRoute } from "../api/route.ts";
import { mostInvitedAtOnce } from "./account-values.ts";

const says = (code: FieldCode): FieldCode => code;

/** One sentence covers everything that can be wrong. 254 is the longest address SMTP can carry (RFC 5321). */
export const inviteEmail = z
  .string(says("email.invalid"))
  .trim()
  .toLowerCase()
  .max(254, says("email.invalid"))
  .pipe(z.email(says("email.invalid")));

/** Between two mails to the same person. */
export const inviteResendWaitSeconds = 60;

/** `waiting`: sent when the workspace is online. `failed`: `reason` says why, and whether we try again. */
export const invitationStates = ["waiting", "sent", "accepted", "failed"] as const;
export type InvitationState = (typeof invitationStates)[number];

export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    state: z.enum(invitationStates),
    reason: z.string().optional().meta({ description: "why it failed, in words for the owner" }),
    invitedAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    acceptedAt: z.iso.datetime().nullable(),
    resendInSeconds: z.number().int().meta({ description: "0: it may be sent again now" }),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof invitation>;

export const inviteMembers = defineRoute({
  method: "POST",
  path: "/account/invite-members",
  tag: "Invitations",
  summary: "Invite people to the workspace: all of them, or none if any address is invalid",
  auth: "session",
  body: z.object({
    emails: z.array(inviteEmail, says("emails.required")).min(1, says("emails.required")).max(mostInvitedAtOnce, says("emails.too_many")),
  }),
  success: { status: 204, body: null },
  problems: ["user_quota_reached", "too_many_invitations", "too_many_requests"],
});

export const listInvitations = defineRoute({
  method: "GET",
  path: "/account/invitations",
  tag: "Invitations",
  summary: "The invitations and their status, oldest first",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      invitations: z.array(invitation),
      usersLimit: z.number().int().meta({ description: "people the plan allows, the owner included; -1: any number" }),
    }),
  },
  writes: "question",
  problems: [],
});

const params = z.object({ id: z.string().max(64) });

export const resendInvitation = defineRoute({
  method: "POST",
  path: "/account/invitations/:id/resend",
  tag: "Invitations",
  summary: "Resend the email with a new link, at most once a minute",
  auth: "session",
  params,
  success: { status: 204, body: null },
  problems: ["not_found", "invitation_accepted", "too_many_requests"],
});

export const revokeInvitation = defineRoute({
  method: "DELETE",
  path: "/account/invitations/:id",
  tag: "Invitations",
  summary: "Revoke the invitation: its link stops working",
  auth: "session",
  params,
  success: { status: 204, body: null },
  problems: ["not_found", "invitation_accepted"],
});
