/** Ways to sign in besides the password, and the calls that change password and email address. */
import { z } from "zod";
import { newSession } from "./account.ts";
import * as fields from "../api/fields.ts";
import { defineRoute } from "../api/route.ts";

export const logInWithCode = defineRoute({
  method: "POST",
  path: "/auth/login/code",
  tag: "Sessions",
  summary: "Sign in with a one-time code: of a magic link, of the running workspace (60 s), or of an operator (60 s)",
  auth: "none",
  body: z.object({ code: fields.loginCode }),
  success: { status: 200, body: newSession },
  problems: ["login_code_invalid", "too_many_sign_ins"],
});

export const getCodeHolder = defineRoute({
  method: "POST",
  path: "/auth/login/code/holder",
  tag: "Sessions",
  summary: "The account that a one-time code signs in to; the code stays valid",
  auth: "none",
  body: z.object({ code: fields.loginCode }),
  success: { status: 200, body: z.object({ accountName: z.string() }) },
  problems: ["login_code_invalid", "too_many_sign_ins"],
});

export const requestMagicLink = defineRoute({
  method: "POST",
  path: "/user/magic-link",
  tag: "Sessions",
  summary: "Email a sign-in link to the owner with this address, whatever the workspace's state; 204 whether or not there is one",
  auth: "none",
  body: z.object({ email: fields.email }),
  success: { status: 204, body: null },
  problems: ["too_many_requests"],
});

export const forgotPassword = defineRoute({
  method: "POST",
  path: "/auth/forgot-password",
  tag: "Credentials",
  summary: "Email a link to choose a new password; 204 whether or not there is such an account",
  auth: "none",
  body: z.object({ email: fields.email }),
  success: { status: 204, body: null },
  problems: ["too_many_requests"],
});

export const resetPassword = defineRoute({
  method: "POST",
  path: "/auth/reset-password",
  tag: "Credentials",
  summary: "Choose a new password with the emailed token, once; ends every session and any pending change of address",
  auth: "none",
  body: z.object({ token: fields.linkToken, password: fields.password }),
  success: { status: 204, body: null },
  problems: ["password_link_invalid"],
});

export const changePassword = defineRoute({
  method: "POST",
  path: "/auth/change-password",
  tag: "Credentials",
  summary: "Change the password, or choose a first one; ends every other session and any pending change of address",
  auth: "session",
  body: z.object({ currentPassword: fields.typedPassword.optional(), password: fields.password }),
  success: { status: 204, body: null },
  problems: ["wrong_password", "too_many_sign_ins"],
});

/** A session opened by a workspace or an operator cannot spend the customer's money (`password_needed`) before this call. */
export const confirmPassword = defineRoute({
  method: "POST",
  path: "/auth/confirm-password",
  tag: "Credentials",
  summary: "Confirm the password in a session that was opened without it; the session may then make payments",
  auth: "session",
  body: z.object({ password: fields.typedPassword }),
  success: { status: 204, body: null },
  problems: ["wrong_password", "too_many_sign_ins"],
});

export const changeEmail = defineRoute({
  method: "POST",
  path: "/auth/change-email",
  tag: "Credentials",
  summary:
    "Change the email address: a link goes to the new one, a notice to the old one; 204 even if the new one is taken. Before the first confirmation the address is replaced immediately, and a taken one is refused",
  auth: "session",
  body: z.object({ email: fields.email, password: fields.typedPassword }),
  success: { status: 204, body: null },
  problems: ["same_email", "email_taken", "wrong_password", "too_many_sign_ins", "too_many_requests"],
});

export const emailChange = z
  .object({
    email: z.string().meta({ description: "the account's future address" }),
    expiresAt: z.iso.datetime().meta({ description: "when the latest link to it expires" }),
  })
  .meta({ id: "EmailChange" });
export type EmailChange = z.infer<typeof emailChange>;

export const getEmailChange = defineRoute({
  method: "GET",
  path: "/auth/change-email",
  tag: "Credentials",
  summary: "The pending change of address; null: none",
  auth: "session",
  success: { status: 200, body: z.object({ pending: emailChange.nullable() }) },
  problems: [],
});

export const withdrawEmailChange = defineRoute({
  method: "DELETE",
  path: "/auth/change-email",
  tag: "Credentials",
  summary: "Withdraw the pending change of address; its links stop working",
  auth: "session",
  success: { status: 204, body: null },
  problems: ["email_change_over"],
});

export const resendEmailChange = defineRoute({
  method: "POST",
  path: "/auth/change-email/resend",
  tag: "Credentials",
  summary: "Email another link to the new address, at most once a minute; it is valid for an hour",
  auth: "session",
  success: { status: 204, body: null },
  problems: ["email_change_over", "too_many_requests"],
});

export const confirmEmailChange = defineRoute({
  method: "POST",
  path: "/auth/change-email/confirm",
  tag: "Credentials",
  summary: "Confirm the new address with the emailed token, once, in a session of the account or with its password",
  auth: "none",
  body: z.object({ token: fields.linkToken, password: fields.typedPassword.optional() }),
  success: { status: 200, body: z.object({ email: z.string() }) },
  problems: ["email_link_invalid", "email_taken", "proof_needed", "wrong_password", "too_many_sign_ins"],
});
