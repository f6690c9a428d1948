/** The shape of a refusal: application/problem+json, with stable codes. */
import { z } from "zod";
import { fieldWords, type FieldCode } from "./field-words.ts";

/** Status and public sentence of every refusal of the API. The code is stable; clients rely on it. */
export const problems = {
  validation_failed: { status: 422, title: "Some fields are not valid." },
  invalid_credentials: { status: 401, title: "You entered an invalid sign in combination. Try again." },
  login_code_invalid: { status: 401, title: "Could not log in user with authentication code" },
  publisher_account: { status: 403, title: "This account only publishes workflows. To get a workspace, create a new account." },
  wrong_password: { status: 403, title: "This is not your current password." },
  proof_needed: { status: 403, title: "Enter the account's password, or open this link where you are signed in to it." },
  same_email: { status: 409, title: "This is already your email address." },
  password_link_invalid: { status: 410, title: "This link to choose a new password has expired or was already used." },
  email_change_over: {
    status: 410,
    title: "This email change is no longer pending: it was confirmed or withdrawn, or its link has expired.",
  },
  email_link_invalid: { status: 410, title: "This link to change your email address has expired or was already used." },
  too_many_sign_ins: { status: 429, title: "Too many failed sign-in attempts. Wait a while, or request a sign-in link by email." },
  session_expired: { status: 401, title: "Session expired" },
  other_person: { status: 409, title: "This browser is now signed in to another account." },
  signed_out: { status: 401, title: "Please sign in to continue." },
  cross_origin: { status: 403, title: "This request came from another site and was refused." },
  email_not_confirmed: { status: 403, title: "Confirm your email address first." },
  not_found: { status: 404, title: "This page could not be found" },
  method_not_allowed: { status: 405, title: "This address takes other methods only." },
  workspace_not_found: { status: 404, title: "There is no workspace yet." },
  usage_unknown: { status: 404, title: "There is no usage yet." },
  account_name_taken: { status: 409, title: "This account name is already taken." },
  email_taken: { status: 409, title: "There is already an account with this email address." },
  account_suspended: { status: 403, title: "This account is suspended." },
  account_closed: { status: 403, title: "This account is closed." },
  account_not_closable: { status: 409, title: "This account can't be closed yet." },
  account_already_set_up: { status: 409, title: "The account is already set up." },
  workspace_exists: { status: 409, title: "There is already a workspace." },
  workspace_replaced: { status: 409, title: "This workspace was deleted and replaced by a new one." },
  settings_changed: { status: 409, title: "The settings have changed in the meantime." },
  changed_elsewhere: { status: 409, title: "This was changed in another tab or on another device." },
  subscription_required: { status: 403, title: "This requires an active subscription." },
  password_needed: { status: 403, title: "Enter your password to continue." },
  workspace_not_online: { status: 409, title: "The workspace is not online yet. Try again in a moment." },
  user_quota_reached: { status: 409, title: "Your plan does not allow that many people." },
  invitation_accepted: { status: 409, title: "This person has already joined the workspace." },
  link_expired: { status: 410, title: "The confirmation link has expired." },
  link_invalid: { status: 400, title: "This link is not valid. Open it again from the email." },
  bad_request: { status: 400, title: "The request could not be read." },
  body_too_large: { status: 413, title: "The request is too large." },
  body_too_slow: { status: 408, title: "The request took too long to arrive. Try again." },
  unsupported_media_type: { status: 415, title: "This call accepts JSON only." },
  too_many_requests: { status: 429, title: "Too many attempts. Wait a moment and try again." },
  too_many_streams: { status: 429, title: "This page is open in too many windows." },
  too_many_invitations: { status: 429, title: "You have reached today's limit for invitations. Invite the others tomorrow." },
  plan_not_found: { status: 404, title: "This plan does not exist." },
  plan_withdrawn: { status: 409, title: "This plan can no longer be chosen." },
  already_subscribed: { status: 409, title: "There is already an active subscription. Change its plan instead." },
  subscription_not_found: { status: 404, title: "There is no subscription yet." },
  update_billing_first: { status: 409, title: "Please update your billing information first, then change your plan." },
  preview_stale: { status: 409, title: "The price has changed. Please check it again." },
  payment_declined: { status: 402, title: "The payment was declined. Nothing was changed." },
  payment_action_required: { status: 402, title: "Your bank asks you to confirm the payment. Nothing was changed yet." },
  idempotency_key_reused: { status: 409, title: "This request was already made with different contents." },
  invoice_not_found: { status: 404, title: "This invoice does not exist." },
  webhook_refused: { status: 400, title: "The signature of this event is not valid." },
  renewal_under_way: {
    status: 409,
    title: "Your subscription renews within half an hour and cannot be changed before then. Nothing was changed.",
  },
  payments_unavailable: { status: 503, title: "The payment provider cannot be reached. Nothing was charged. Try again in a moment." },
  backup_not_found: { status: 404, title: "This backup does not exist." },
  backup_not_usable: { status: 409, title: "This backup cannot be used for that." },
  backup_newer: { status: 409, title: "This backup was made on a newer version than your workspace runs." },
  too_many_backups: { status: 429, title: "You have reached today's limit for backups. Make the next one tomorrow." },
  backup_needed: { status: 409, title: "An update or restore in progress needs this backup." },
  update_under_way: { status: 409, title: "The workspace is changing to another version." },
  restore_under_way: { status: 409, title: "A backup is already being restored." },
  export_not_found: { status: 404, title: "This export does not exist." },
  export_not_finished: { status: 409, title: "This export is still in progress." },
  export_under_way: {
    status: 409,
    title: "An export with credentials and another passphrase is in progress. Export again once it has finished.",
  },
  too_many_exports: { status: 429, title: "You have reached today's limit for exports. Export again tomorrow." },
  download_link_invalid: { status: 410, title: "This download link has expired or was already used." },
  roll_back_impossible: { status: 409, title: "There is no update to roll back." },
  instance_operations_off: { status: 503, title: "Workspaces cannot be changed at the moment because of technical issues." },
  trial_not_started: { status: 500, title: "The trial could not be started. Nothing was set up." },
  internal_error: { status: 500, title: "Something went wrong on our side. Try again in a moment." },
  still_in_progress: {
    status: 503,
    title: "This takes longer than usual and is still in progress. Wait a moment, then check whether it is done.",
  },
  unavailable: { status: 503, title: "The service is busy. Try again in a moment." },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const fieldCodes = Object.keys(fieldWords) as [FieldCode, ...FieldCode[]];

/** One field of the request that was refused; `path` is dotted. */
const fieldProblem = z.object({ path: z.string(), code: z.enum(fieldCodes), message: z.string() });
export type FieldProblem = z.infer<typeof fieldProblem>;

/** RFC 9457 with our members; `error` repeats `title`, as the product's interface promises. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.enum(codes),
    detail: z.string(),
    error: z.string(),
    requestId: z.string(),
    retryAfterSeconds: z.number().int().optional(),
    errors: z.array(fieldProblem).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problem>;
