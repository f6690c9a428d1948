/** The words of every error that the sign-in page does not need. A code without words here or in ./sign-in-errors.ts does not compile. */
import type { ErrorCode } from "../api/api-error.ts";
import type { EnglishErrorWords, signInErrors } from "./sign-in-errors.ts";

export const furtherErrors = {
  wrong_password: { next: "Check it and try again." },
  other_person: { next: "Nothing was changed. Reload the page." },
  trial_not_started: { next: "Try again in a moment. If the problem persists, contact support." },
  proof_needed: { sentence: "This requires the account's password.", next: "Enter it, or open the link where you are signed in." },
  same_email: { next: "Enter another one." },
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
  method_not_allowed: { next: "Reload the page and try again." },
  workspace_not_found: { next: "Set up your account to launch one." },
  usage_unknown: { next: "Figures appear within a minute of your workspace being online." },
  account_name_taken: { next: "Choose another account name." },
  email_taken: { next: "Sign in instead, or use another address." },
  account_suspended: { next: "Reload the page to see why." },
  account_already_set_up: { next: "Go to the dashboard." },
  workspace_exists: { next: "Reload the page to see it." },
  workspace_replaced: { next: "Reload the page. Nothing was changed." },
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
  link_expired: { next: "Send a new email and open the link in it." },
  link_invalid: { sentence: "This link is not valid.", next: "Open it again from the newest email, or send a new one." },
  instance_operations_off: { next: "Nothing is lost. Try again once the notice at the top of the page is gone." },
  backup_not_found: { next: "It may have expired. Reload the page to see the available backups." },
  backup_not_usable: { next: "Reload the page to see its current state." },
  backup_newer: { next: "Update the workspace first, then restore it." },
  too_many_backups: {
    sentence: "You have reached today's limit for backups.",
    next: "Make the next one tomorrow. The nightly backup still runs.",
  },
  backup_needed: { next: "Delete it once the workspace is online again." },
  update_under_way: { next: "Try again once the update has finished." },
  restore_under_way: { next: "Wait until the restore has finished." },
  export_not_found: { next: "It may have expired. Start a new one." },
  export_not_finished: { next: "Delete it once it has finished." },
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
    next: "Start the download again.",
  },
  user_quota_reached: { next: "Invite fewer, withdraw an invitation, or upgrade your plan." },
  invitation_accepted: {
    sentence: "This person has already joined.",
    next: "Manage the people of the workspace in its own settings, under Users.",
  },
  too_many_streams: { next: "Close some of them. This one still updates, but less often." },
  too_many_invitations: { sentence: "You have reached today's limit for invitations.", next: "Invite the others tomorrow." },
  roll_back_impossible: { next: "Its backup has expired, or another version is running now. Reload the page." },
  plan_not_found: { next: "Choose one of the plans shown." },
  plan_withdrawn: { next: "Choose one of the plans shown." },
  already_subscribed: {
    sentence: "You already have an active subscription.",
    next: "Change its plan instead of buying a second subscription.",
  },
  subscription_not_found: { next: "Choose a plan first." },
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
  idempotency_key_reused: { next: "Reload the page and try again." },
  invoice_not_found: { next: "Reload the list of invoices." },
  webhook_refused: { next: "Check the signing secret." },
  renewal_under_way: {
    sentence: "Your subscription renews within half an hour. Nothing was changed.",
    next: "Plan changes and cancellations are possible again after the renewal.",
  },
  payments_unavailable: { sentence: "The payment provider cannot be reached.", next: "Nothing was charged. Try again in a moment." },
} satisfies Record<Exclude<ErrorCode, keyof typeof signInErrors>, EnglishErrorWords>;
