/** What can go wrong on the pages after the sign-in page. A code that has words neither here nor in ./en.ts does not compile. */
import type { ErrorCode } from "../lib/api-error.ts";
import type { errors, ErrorWords } from "./en.ts";

export const lateErrors = {
  wrong_password: { sentence: "This is not your current password.", next: "Check it and try again." },
  same_email: { sentence: "This is already your email address.", next: "Enter another one." },
  password_link_invalid: { sentence: "This link has expired or was already used.", next: "Ask for a new one. A link works once, for an hour." },
  email_link_invalid: { sentence: "This link has expired or was already used.", next: "Ask for the change again in your account menu. A link works once, for an hour." },
  email_not_confirmed: { sentence: "Your email address is not confirmed yet.", next: "Open the link in the email we sent you." },
  workspace_not_found: { sentence: "There is no workspace yet.", next: "Set up your account to launch one." },
  account_name_taken: { sentence: "This account name is already taken.", next: "Choose another account name." },
  email_taken: { sentence: "There is already an account with this email address.", next: "Log in instead, or use another address." },
  account_already_set_up: { sentence: "The account is already set up.", next: "Go to the dashboard." },
  workspace_not_online: { sentence: "The workspace is not online yet.", next: "Try again in a moment." },
  link_expired: { sentence: "The confirmation link has expired.", next: "Send a new email and open the link in it." },
  link_invalid: { sentence: "This link is not valid.", next: "Open it again from the newest email, or send a new one." },
  instance_operations_off: { sentence: "Workspaces cannot be changed at the moment, because of technical issues.", next: "Nothing is lost. Try again later; the banner goes away when it is possible again." },
  user_quota_reached: { sentence: "Your plan does not allow that many people.", next: "Invite fewer, withdraw an invitation, or upgrade your plan." },
  invitation_accepted: { sentence: "This person has already joined.", next: "Manage who belongs to the workspace in its own settings, under Users." },
  too_many_invitations: { sentence: "You have invited many people today.", next: "Invite the others tomorrow." },
  plan_not_found: { sentence: "There is no such plan.", next: "Choose one of the plans shown." },
  plan_withdrawn: { sentence: "This plan can no longer be chosen.", next: "Choose one of the plans shown." },
  already_subscribed: { sentence: "You have a running subscription already.", next: "Change its plan instead of paying for a second one." },
  subscription_not_found: { sentence: "There is no subscription yet.", next: "Choose a plan first." },
  update_billing_first: { sentence: "Please update your billing information first.", next: "Then change your plan." },
  preview_stale: { sentence: "The price has changed since you looked.", next: "Check the new amounts and confirm again. Nothing was charged." },
  payment_declined: { sentence: "The payment was declined.", next: "Nothing was changed. Use another card, or ask your bank." },
  payment_action_required: { sentence: "Your bank asks you to confirm the payment.", next: "Confirm it on the payment page. Nothing was changed yet." },
  idempotency_key_reused: { sentence: "This request was already made with other contents.", next: "Reload the page and try again." },
  invoice_not_found: { sentence: "There is no such invoice.", next: "Reload the list of invoices." },
  webhook_refused: { sentence: "The signature of this event is not valid.", next: "Check the signing secret." },
  payments_unavailable: { sentence: "The payment provider cannot be reached.", next: "Nothing was charged. Try again in a moment." },
} satisfies Record<Exclude<ErrorCode, keyof typeof errors>, ErrorWords>;
