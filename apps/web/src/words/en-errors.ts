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
} satisfies Record<Exclude<ErrorCode, keyof typeof errors>, ErrorWords>;
