/**
 * The words that the sign-in page and every page's frame need. Those of single fields stand in #contract/api/field-words.ts, those
 * that come with later pages in ./en-visitor.ts, ./en-panel.ts, ./en-onboarding.ts and ./en-help.ts.
 */
import { codeWords, loginExtraWords } from "../pages/login/words.ts";
import type { ErrorCode } from "../lib/api/api-error.ts";

export interface ErrorWords {
  /** What happened. */
  sentence: string;
  /** What to do next. */
  next: string;
}

/** What the sign-in page, or any call, can be refused with. The other codes follow with the pages that meet them. */
export const errors = {
  validation_failed: { sentence: "Some fields are not valid.", next: "Check the marked fields and try again." },
  invalid_credentials: {
    sentence: "You entered an invalid sign in combination. Try again.",
    next: "Check the account name or email address and the password.",
  },
  login_code_invalid: {
    sentence: "Could not log in user with authentication code",
    next: "Sign in with your password, or request a new link. If the problem persists, contact support.",
  },
  publisher_account: { sentence: "This account only publishes workflows.", next: "To get a workspace, create a new account." },
  too_many_sign_ins: { sentence: "Too many failed sign-in attempts.", next: "Wait a while, or request a sign-in link by email." },
  session_expired: { sentence: "Session expired", next: "Sign in again." },
  signed_out: { sentence: "You are not signed in.", next: "Sign in to continue." },
  cross_origin: { sentence: "This request came from another site and was refused.", next: "Open the panel in its own tab and try again." },
  not_found: { sentence: "This page could not be found", next: "Go to the start page." },
  bad_request: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  body_too_large: { sentence: "The request is too large.", next: "Shorten what you entered and try again." },
  unsupported_media_type: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  too_many_requests: { sentence: "Too many attempts.", next: "Wait a moment and try again." },
  internal_error: {
    sentence: "Something went wrong on our side.",
    next: "Try again in a moment. If the problem persists, contact support with the request number.",
  },
  unavailable: { sentence: "The service is busy.", next: "Try again in a moment." },
  unreachable: { sentence: "We could not reach the service.", next: "Check your connection and try again." },
  timed_out: { sentence: "The service did not answer in time.", next: "Your change may have been saved. Check before you try again." },
  unreadable: { sentence: "The service sent an unexpected response.", next: "Reload the page and try again." },
} satisfies Partial<Record<ErrorCode, ErrorWords>>;

export const en = {
  product: { name: "Slipway", home: "Slipway, home", titled: "{{page}} · Slipway" },
  errors,
  error: {
    requestNumber: "Request number {{id}}",
    retryIn_one: "Try again in {{count}} second.",
    retryIn_other: "Try again in {{count}} seconds.",
  },
  common: {
    tryAgain: "Try again",
    reload: "Reload the page",
    cancel: "Cancel",
    close: "Close",
    dismiss: "Dismiss",
    loading: "Loading",
    newTab: "opens in a new tab",
    skip: "Skip to content",
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
    experiments: "Experiments",
    analyticsChoices: "Analytics choices",
    development: "Development mode: emails are kept here, not sent.",
    haveAccount: "Already have an account?",
    logIn: "Log in",
  },
  theme: {
    system: "Theme: system. Switch to light.",
    light: "Theme: light. Switch to dark.",
    dark: "Theme: dark. Switch to system.",
  },
  session: {
    expired: "Session expired",
    loggedOut: "Logout succeeded",
    logoutFailed: "You are still signed in because the service could not be reached. Check your connection and try again.",
    notLoaded: "Could not load user data",
  },
  pitch: {
    label: "What you get",
    title: "Your automations, launched.",
    text: {
      n8n: "Your own n8n workspace, at your own URL. We install it, keep it running and keep it safe. You build.",
      "node-red": "Your own Node-RED workspace, at your own URL. We install it, keep it running and keep it safe. You build.",
    },
    first: "Running in minutes, with the real, unchanged editor",
    second: "14-day free trial. No credit card required.",
    third: "Your workflows stay yours: export them at any time",
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
    page: "Sign in",
    title: "Welcome back",
    login: "Account name or email",
    password: "Password",
    submit: "Sign in",
    pending: "Signing in…",
    noAccount: "New to Slipway?",
    register: "Create an account",
    ...loginExtraWords,
  },
  code: codeWords,
  notFound: {
    page: "Page not found",
    title: "This page could not be found",
    text: "The URL may be mistyped, or the page may have moved.",
    home: "Go to the start page",
  },
  crash: {
    page: "Something went wrong",
    title: "Something went wrong...",
    text: "The page could not be displayed. Everything you saved is safe.",
    chunk: "A new version is available. Reload the page to continue.",
  },
} as const;
