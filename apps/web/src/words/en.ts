/**
 * The words that the sign-in page and every page's frame need. Those of single fields stand in #contract/field-words.ts, those
 * that come with later pages in ./en-visitor.ts, ./en-panel.ts, ./en-onboarding.ts and ./en-help.ts.
 */
import { codeWords, loginExtraWords } from "./en-login.ts";
import { consentWords, experimentWords } from "./en-consent.ts";
import type { ErrorCode } from "../lib/api-error.ts";

interface ErrorWords {
  /** What happened. */
  sentence: string;
  /** What to do next. */
  next: string;
}

const errors = {
  validation_failed: { sentence: "Some of what you entered is not valid.", next: "Check the marked fields and try again." },
  invalid_credentials: {
    sentence: "You entered an invalid sign in combination. Try again.",
    next: "Check the account name or email address and the password.",
  },
  login_code_invalid: { sentence: "Could not log in user with authentication code", next: "Log in with your password, or ask for a new link. If it stays, contact support." },
  publisher_account: { sentence: "This account only publishes workflows.", next: "To get a workspace, create a new account." },
  wrong_password: { sentence: "This is not your current password.", next: "Check it and try again." },
  same_email: { sentence: "This is already your email address.", next: "Enter another one." },
  password_link_invalid: { sentence: "This link has expired or was already used.", next: "Ask for a new one. A link works once, for an hour." },
  email_link_invalid: { sentence: "This link has expired or was already used.", next: "Ask for the change again in your account menu. A link works once, for an hour." },
  too_many_sign_ins: { sentence: "Too many failed tries to log in.", next: "Wait a while, or ask for a link by email." },
  session_expired: { sentence: "Session expired", next: "Log in again to go on." },
  signed_out: { sentence: "You are not logged in.", next: "Log in to go on." },
  cross_origin: { sentence: "This request came from another site and was refused.", next: "Open the panel in its own tab and try again." },
  email_not_confirmed: { sentence: "Your email address is not confirmed yet.", next: "Open the link in the email we sent you." },
  not_found: { sentence: "This page could not be found", next: "Go back to the start page." },
  workspace_not_found: { sentence: "There is no workspace yet.", next: "Set up your account to launch one." },
  account_name_taken: { sentence: "This account name is already taken.", next: "Choose another account name." },
  email_taken: { sentence: "There is already an account with this email address.", next: "Log in instead, or use another address." },
  account_already_set_up: { sentence: "The account is already set up.", next: "Go to the dashboard." },
  workspace_not_online: { sentence: "The workspace is not online yet.", next: "Try again in a moment." },
  link_expired: { sentence: "The confirmation link has expired.", next: "Send a new email and open the link in it." },
  link_invalid: { sentence: "This link is not valid.", next: "Open it again from the newest email, or send a new one." },
  bad_request: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  body_too_large: { sentence: "That is more data than we accept.", next: "Shorten what you entered and try again." },
  unsupported_media_type: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  user_quota_reached: { sentence: "Your plan does not allow that many people.", next: "Invite fewer, withdraw an invitation, or upgrade your plan." },
  invitation_accepted: { sentence: "This person has already joined.", next: "Manage who belongs to the workspace in its own settings, under Users." },
  too_many_invitations: { sentence: "You have invited many people today.", next: "Invite the others tomorrow." },
  too_many_requests: { sentence: "Too many tries.", next: "Wait a moment and try again." },
  instance_operations_off: { sentence: "Workspaces cannot be changed at the moment, because of technical issues.", next: "Nothing is lost. Try again later; the banner goes away when it is possible again." },
  internal_error: { sentence: "Something went wrong on our side.", next: "Try again in a moment. If it stays, tell us the request number." },
  unavailable: { sentence: "The service is busy.", next: "Try again in a moment." },
  unreachable: { sentence: "We could not reach the service.", next: "Check your connection and try again." },
  unreadable: { sentence: "The service gave an answer we could not read.", next: "Reload the page and try again." },
} satisfies Record<ErrorCode, ErrorWords>;

export const en = {
  product: { name: "Slipway", home: "Slipway, home", titled: "{{page}} · Slipway" },
  errors,
  error: { requestNumber: "Request number {{id}}", retryIn_one: "Try again in {{count}} second.", retryIn_other: "Try again in {{count}} seconds." },
  common: {
    tryAgain: "Try again",
    reload: "Reload the page",
    cancel: "Cancel",
    close: "Close",
    dismiss: "Dismiss",
    loading: "Loading",
    copy: "Copy",
    copied: "Copied",
    newTab: "opens in a new tab",
    skip: "Skip to the content",
    optional: "optional",
  },
  nav: {
    main: "Main",
    dashboard: "Dashboard",
    manage: "Manage",
    help: "Help",
    signOut: "Sign out",
    signIn: "Sign in",
    status: "Status",
    impressum: "Impressum",
    privacy: "Privacy",
    terms: "Terms",
    legal: "About this service",
    developmentInbox: "Development inbox",
    development: "Development mode: mails are kept here and not sent.",
    haveAccount: "Already have an account?",
    logIn: "Log in",
  },
  theme: {
    system: "Theme: as your system. Switch to light.",
    light: "Theme: light. Switch to dark.",
    dark: "Theme: dark. Switch to your system's.",
  },
  session: { expired: "Session expired", loggedOut: "Logout succeeded", notLoaded: "Could not load user data" },
  pitch: {
    label: "What you get",
    title: "Your automations, launched.",
    text: "A workspace of your own on an address of your own. We install it, keep it running and keep it safe; you build.",
    first: "Running in minutes, with the real, unchanged editor",
    second: "14 days of trial, no card asked",
    third: "Your workflows stay yours: download them from the editor any time",
  },
  password: {
    show: "Show password",
    hide: "Hide password",
    strength: "Password strength: {{level}}",
    weak: "weak",
    fair: "fair",
    good: "good",
    strong: "strong",
    hint: "8 to 64 characters. A few unrelated words make a good one.",
  },
  login: {
    page: "Log in",
    title: "Welcome back",
    login: "Account name or email",
    password: "Password",
    submit: "Log in",
    pending: "Logging in…",
    noAccount: "New to Slipway?",
    register: "Create an account",
    ...loginExtraWords,
  },
  code: codeWords,
  consent: consentWords,
  experiments: experimentWords,
  notFound: { page: "Page not found", title: "This page could not be found", text: "The address may be misspelt, or the page has moved.", home: "Go to the start page" },
  crash: { page: "Something went wrong", title: "Something went wrong...", text: "The page could not be shown. Nothing you saved is lost.", chunk: "A newer version of the panel is out. Reload to go on." },
} as const;
