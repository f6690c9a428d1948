/** The signed-in user, their account, and the calls that create, confirm and open it. */
import { z } from "zod";
import { workspacePurposes } from "./account-values.ts";
import * as fields from "../api/fields.ts";
import type { FieldCode } from "../api/field-words.ts";
import { firstDays } from "./onboarding/first-days.ts";
import { onboarding } from "./onboarding/onboarding.ts";
import { profile } from "./profile-choices.ts";
import { planSpec } from "../billing/plans/plan.ts";
import { defineRoute } from "../api/route.ts";
import { instance } from "../workspaces/workspace.ts";

/** The five billing statuses, whatever the payment provider calls them. */
export const billingStatus = z.enum(["active", "trialing", "paused", "past_due", "deleted"]);

/** What a plan brings back after the workspace was deleted because nobody paid. */
export const lastBackup = z
  .object({ madeAt: z.iso.datetime(), keptUntil: z.iso.datetime() })
  .meta({ id: "LastBackup", description: "the last backup of the account's deleted workspace, from which a new payment restores it" });

/** What the owner of a suspended account is told. */
export const suspension = z
  .object({
    since: z.iso.datetime(),
    until: z.iso.datetime().nullable().meta({ description: "null: until it is lifted" }),
    reason: z.string().meta({ description: "as the operator wrote it, in any language" }),
  })
  .meta({ id: "Suspension" });

/** What the owner of a closed account is told. */
export const closing = z
  .object({
    since: z.iso.datetime(),
    eraseAt: z.iso.datetime().meta({ description: "until then the owner can reopen it; then it is erased" }),
    reason: z.string().nullable().meta({ description: "why an operator closed it, in any language; null: its owner closed it" }),
  })
  .meta({ id: "Closing" });

export const account = z
  .object({
    name: z.string(),
    isSetup: z.boolean(),
    taxInclusive: z.boolean(),
    billing: z
      .object({
        status: billingStatus,
        planId: z.string(),
        updateUrl: z.string().nullable(),
        cancelAt: z.iso
          .datetime()
          .nullable()
          .meta({ description: "it was cancelled or was arranged to end then; it continues unchanged until that day" }),
        isArranged: z.boolean().meta({ description: "set up by the operator and billed outside" }),
      })
      .nullable(),
    planSpec: planSpec.nullable(),
    instance: instance.nullable(),
    lastBackup: lastBackup.nullable().meta({
      description: "null: there is a workspace, its owner deleted it, or no backup is kept any more, so that a payment starts an empty one",
    }),
    onboarding,
    isFirstDay: z
      .boolean()
      .meta({ description: "no workflow was made yet, as far as the workspace said, and the list of first steps was not dismissed" }),
    firstDays: firstDays.shape.steps
      .nullable()
      .meta({ description: "the steps of the first days' checklist, as far as they are known to be done; null once the list is over" }),
    suspension: suspension
      .nullable()
      .meta({ description: "an operator stopped the workspace; until it ends, the account can only be read and its data downloaded" }),
    closing: closing.nullable().meta({ description: "the account is closed: it can only be read, taken along and reopened" }),
    templateId: z.string().nullable().meta({ description: "a template from the sign-up link, opened in the editor at the end" }),
  })
  .meta({ id: "Account" });

/** `username` is the account name on the wire. */
export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    fullName: z.string(),
    username: z.string(),
    confirmed: z.boolean(),
    hasPassword: z.boolean().meta({ description: "false: the account has no valid password, so the user has to choose one" }),
    profile,
    account,
  })
  .meta({ id: "User" });
export type User = z.infer<typeof user>;

/** A new session: the bearer token, which is also set as the session cookie. */
export const newSession = z.object({ token: z.string(), user }).meta({ id: "NewSession" });

const emailsMatch: FieldCode = "email.mismatch";

/** `templateId` is carried from the sign-up link to the editor at the end. */
export const registration = z
  .object({
    fullName: fields.fullName,
    accountName: fields.accountName,
    email: fields.email,
    emailConfirmation: z.string().trim().toLowerCase(),
    password: fields.password,
    challenge: fields.challengeAnswer,
    templateId: fields.templateId.optional(),
  })
  .refine((form) => form.email === form.emailConfirmation, {
    message: emailsMatch,
    path: ["emailConfirmation"],
    // Reported together with the other fields' problems, not only once those are fixed.
    when: ({ value }) => typeof value === "object" && value !== null && "email" in value && "emailConfirmation" in value,
  })
  .meta({ id: "Registration" });
export type Registration = z.infer<typeof registration>;

export const register = defineRoute({
  method: "POST",
  path: "/auth/register",
  tag: "Sign-up",
  summary: "Create an account and sign in to it",
  auth: "none",
  body: registration,
  success: { status: 201, body: newSession },
  problems: ["account_name_taken", "email_taken"],
});

export const credentials = z.object({ login: fields.login, password: fields.typedPassword }).meta({ id: "Credentials" });

export const logIn = defineRoute({
  method: "POST",
  path: "/auth/login",
  tag: "Sessions",
  summary: "Sign in with account name or email address and password",
  auth: "none",
  body: credentials,
  success: { status: 200, body: newSession },
  problems: ["invalid_credentials", "publisher_account", "too_many_sign_ins"],
});

export const logOut = defineRoute({
  method: "GET",
  path: "/auth/logout",
  tag: "Sessions",
  summary: "End the session on the server",
  auth: "none",
  success: { status: 204, body: null },
  writes: "change",
  problems: [],
});

export const me = defineRoute({
  method: "GET",
  path: "/auth/me",
  tag: "Sessions",
  summary: "The signed-in user with account and instance",
  auth: "session",
  success: { status: 200, body: z.object({ user }) },
  problems: [],
});

export const confirmEmail = defineRoute({
  method: "POST",
  path: "/auth/confirm-email",
  tag: "Sign-up",
  summary: "Confirm the email address with the emailed token, in a session of the account or with its password",
  auth: "none",
  body: z.object({ token: fields.linkToken, password: fields.typedPassword.optional() }),
  success: { status: 200, body: z.object({ email: z.string(), alreadyConfirmed: z.boolean() }) },
  problems: ["link_expired", "link_invalid", "proof_needed", "wrong_password", "too_many_sign_ins"],
});

/** 60 s between two mails: long enough for a slow mailbox, short enough not to lose the visitor. */
export const resendWaitSeconds = 60;
/** The waits after each mail to an address that may have no account: the service sends three in a row, and then pauses longer each time. */
export const linkWaitsSeconds = [60, 60, 300, 600, 1200, 2400, 3600] as const;

export const resendConfirmation = defineRoute({
  method: "POST",
  path: "/auth/resend-confirmation",
  tag: "Sign-up",
  summary: "Resend the confirmation email, at most once a minute",
  auth: "session",
  success: { status: 204, body: null },
  problems: ["too_many_requests"],
});

export const setUpAccount = defineRoute({
  method: "POST",
  path: "/account/setup",
  tag: "Sign-up",
  summary: "Choose timezone, purpose and version, start the trial and request the workspace",
  auth: "session",
  body: z.object({
    ...fields.newWorkspace,
    purpose: z
      .enum(workspacePurposes, "value.invalid" satisfies FieldCode)
      .optional()
      .meta({ description: "what the workspace is for first" }),
    templateId: fields.templateId.optional(),
  }),
  success: { status: 202, body: z.object({ user }) },
  problems: ["email_not_confirmed", "account_already_set_up", "trial_not_started", "instance_operations_off"],
});

export const forgetTemplate = defineRoute({
  method: "DELETE",
  path: "/account/template/:id",
  tag: "Sign-up",
  summary: "Mark the template from the sign-up link as opened; a newer one is kept",
  auth: "session",
  params: z.object({ id: fields.templateId }),
  success: { status: 204, body: null },
  problems: [],
});
