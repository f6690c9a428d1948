/** The words of every error that the sign-in page does not need. A code without words here or in ./sign-in-errors.ts does not compile. */
import type { ErrorCode } from "../api/api-error.ts";
import type { ErrorWords, signInErrors } from "./sign-in-errors.ts";

export const furtherErrors = {
  wrong_password: { sentence: "This is not your current password.", next: "Check it and try again." },
  other_person: { sentence: "This browser is now signed in to another account.", next: "Nothing was changed. Reload the page." },
  trial_not_started: {
    sentence: "The trial could not be started.",
    next: "Try again in a moment. If the problem persists, contact support.",
  },
  proof_needed: { sentence: "This requires the account's password.", next: "Enter it, or open the link where you are signed in." },
  same_email: { sentence: "This is already your email address.", next: "Enter another one." },
  password_link_invalid: {
    sentence: "This link has expired or was already used.",
    next: "Request a new one. A link works once and expires in one hour.",
  },
  email_change_over: {
    sentence: "This email change is no longer pending.",
    next: "It was confirmed or withdrawn, or its link has expired. The address shown here is your current one.",
  },
  email_link_invalid: {
    sentence: "This link has expired or was already used.",
    next: "Request the change again in your account menu. A link works once and expires in one hour.",
  },
  email_not_confirmed: { sentence: "Your email address is not confirmed yet.", next: "Open the link in the email we sent you." },
  workspace_not_found: { sentence: "There is no workspace yet.", next: "Set up your account to launch one." },
  usage_unknown: { sentence: "There is no usage yet.", next: "Figures appear within a minute of your workspace being online." },
  account_name_taken: { sentence: "This account name is already taken.", next: "Choose another account name." },
  email_taken: { sentence: "There is already an account with this email address.", next: "Sign in instead, or use another address." },
  account_already_set_up: { sentence: "The account is already set up.", next: "Go to the dashboard." },
  workspace_exists: { sentence: "There is already a workspace.", next: "Reload the page to see it." },
  workspace_replaced: {
    sentence: "This workspace was deleted and replaced by a new one.",
    next: "Reload the page. Nothing was changed.",
  },
  settings_changed: {
    sentence: "The settings were changed in another tab or by an update.",
    next: "Compare your changes with the current settings, then save again.",
  },
  changed_elsewhere: {
    sentence: "It was changed in another tab or on another device.",
    next: "The newer version was kept.",
  },
  subscription_required: { sentence: "This requires an active subscription.", next: "Choose a plan, or resubscribe, first." },
  password_needed: { sentence: "This requires your password.", next: "Enter it to continue." },
  workspace_not_online: { sentence: "The workspace is not online yet.", next: "Try again in a moment." },
  link_expired: { sentence: "The confirmation link has expired.", next: "Send a new email and open the link in it." },
  link_invalid: { sentence: "This link is not valid.", next: "Open it again from the newest email, or send a new one." },
  instance_operations_off: {
    sentence: "Workspaces cannot be changed at the moment because of technical issues.",
    next: "Nothing is lost. Try again once the notice at the top of the page is gone.",
  },
  backup_not_found: { sentence: "This backup does not exist.", next: "It may have expired. Reload the page to see the available backups." },
  backup_not_usable: { sentence: "This backup cannot be used for that.", next: "Reload the page to see its current state." },
  backup_newer: {
    sentence: "This backup was made on a newer version than your workspace runs.",
    next: "Update the workspace first, then restore it.",
  },
  too_many_backups: {
    sentence: "You have reached today's limit for backups.",
    next: "Make the next one tomorrow. The nightly backup still runs.",
  },
  backup_needed: {
    sentence: "An update or restore in progress needs this backup.",
    next: "Delete it once the workspace is online again.",
  },
  update_under_way: { sentence: "The workspace is changing to another version.", next: "Try again once the update has finished." },
  restore_under_way: { sentence: "A backup is already being restored.", next: "Wait until the restore has finished." },
  export_not_found: { sentence: "This export does not exist.", next: "It may have expired. Start a new one." },
  export_not_finished: { sentence: "This export is still in progress.", next: "Delete it once it has finished." },
  export_under_way: {
    sentence: "An export with another passphrase is still in progress.",
    next: "Wait until it has finished, then export again with the new passphrase.",
  },
  too_many_exports: {
    sentence: "You have reached today's limit for exports.",
    next: "Use one of today's exports, or export again tomorrow.",
  },
  download_link_invalid: {
    sentence: "This download link has expired or was already used.",
    next: "Go back to the Backups or Export page and start the download again.",
  },
  user_quota_reached: {
    sentence: "Your plan does not allow that many people.",
    next: "Invite fewer, withdraw an invitation, or upgrade your plan.",
  },
  invitation_accepted: {
    sentence: "This person has already joined.",
    next: "Manage the people of the workspace in its own settings, under Users.",
  },
  too_many_streams: {
    sentence: "This page is open in too many windows.",
    next: "Close some of them. This one still updates, but less often.",
  },
  too_many_invitations: { sentence: "You have reached today's limit for invitations.", next: "Invite the others tomorrow." },
  roll_back_impossible: {
    sentence: "There is no update to roll back.",
    next: "Its backup has expired, or another version is running now. Reload the page.",
  },
  plan_not_found: { sentence: "This plan does not exist.", next: "Choose one of the plans shown." },
  plan_withdrawn: { sentence: "This plan can no longer be chosen.", next: "Choose one of the plans shown." },
  already_subscribed: {
    sentence: "You already have an active subscription.",
    next: "Change its plan instead of buying a second subscription.",
  },
  subscription_not_found: { sentence: "There is no subscription yet.", next: "Choose a plan first." },
  update_billing_first: { sentence: "Please update your billing information first.", next: "Then change your plan." },
  preview_stale: {
    sentence: "The price has changed.",
    next: "Check the new amounts and confirm again. Nothing was charged.",
  },
  payment_declined: { sentence: "The payment was declined.", next: "Nothing was changed. Use another card, or contact your bank." },
  payment_action_required: {
    sentence: "Your bank asks you to confirm the payment.",
    next: "Confirm it on the payment page. Nothing was changed yet.",
  },
  idempotency_key_reused: { sentence: "This request was already made with different contents.", next: "Reload the page and try again." },
  invoice_not_found: { sentence: "This invoice does not exist.", next: "Reload the list of invoices." },
  webhook_refused: { sentence: "The signature of this event is not valid.", next: "Check the signing secret." },
  renewal_under_way: {
    sentence: "Your subscription renews within half an hour. Nothing was changed.",
    next: "Plan changes and cancellations are possible again after the renewal.",
  },
  payments_unavailable: { sentence: "The payment provider cannot be reached.", next: "Nothing was charged. Try again in a moment." },
} satisfies Record<Exclude<ErrorCode, keyof typeof signInErrors>, ErrorWords>;
