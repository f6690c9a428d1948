/** Words of passwords, addresses and ways to sign in. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const forgotWords = {
  page: "Forgot password",
  title: "Forgot your password?",
  lead: "Enter your account's email address, and we'll send you a link to choose a new password.",
  email: "Email",
  submit: "Send link",
  pending: "Sending…",
  failed: "The email could not be sent.",
  sentTitle: "Check your inbox",
  sent: "If there is an account for this address, we sent it a link. The link works once and expires in one hour.",
  resent: "If there is an account for this address, a new link is on its way.",
  sentTips:
    "No email after a few minutes? Check your spam folder, and check the address for typos. After three emails to one address, the next can be sent after five minutes.",
  back: "Back to sign-in",
} as const;

export const resetWords = {
  page: "Choose a new password",
  title: "Choose a new password",
  lead: "You will be signed out on all devices.",
  password: "New password",
  submit: "Save new password",
  pending: "Saving…",
  failed: "The password could not be changed.",
  done: "Your password was changed. Sign in with the new one.",
  askAgain: "Request a new link",
  incomplete: "This link is incomplete.",
  incompleteNext: "Open it again from the email, or request a new one.",
} as const;

export const continueAsWords = {
  page: "Sign in",
  title: "Continue as {{name}}?",
  lead: "This link signs you in to this account. Continue only if the account is yours.",
  other: "You are signed in as {{name}}",
  otherText: "Continuing signs you out of that account in this browser.",
  submit: "Continue as {{name}}",
  pending: "Signing in…",
  decline: "Sign in another way",
  stay: "Stay signed in as {{name}}",
} as const;

export const magicWords = {
  page: "Sign in by email",
  title: "Sign in without a password",
  lead: "We'll email the workspace owner a sign-in link. It works even while the workspace is offline.",
  email: "Owner's email",
  submit: "Send sign-in link",
  pending: "Sending…",
  failed: "Could not send magic link",
  failedNext: "Please try again. If the problem persists, contact support.",
  sent: "If this address belongs to a workspace owner, we sent it a sign-in link and the status of the workspace. The link works once and expires in 10 minutes.",
  noPassword: "The password from sign-up no longer works. Choose a new one under Sign-in and security.",
  landingFailed: "Could not log in user with authentication code",
  landingFailedNext: "The link has expired or was already used. Request a new one below. If that does not help, please contact support.",
  withPassword: "Sign in with a password",
} as const;

export const accountWords = {
  changeEmail: "Change email",
  changePassword: "Change password",
  profile: "Profile",
  notifications: "Notifications",
  security: "Sign-in and security",
  close: "Close",
  confirmPassword: {
    title: "Enter your password",
    lead: "For your security, we ask for your password if you came here from your workspace, and before you delete or replace data or sign out other devices.",
    password: "Password",
    submit: "Continue",
    pending: "Checking…",
    cancel: "Cancel",
    failed: "The password could not be checked.",
    none: "Your account has no password yet. Choose one first, then try again.",
    mail: "Email me a link to choose a password",
    sending: "Sending…",
    sent: "We emailed a link to {{email}}. Choose a password with it, then sign in here again.",
    notSent: "We couldn't send the link.",
  },
  email: {
    title: "Change email",
    lead: "Your current address is {{email}}. The new one takes effect once you open the link we send to it.",
    email: "New email",
    password: "Current password",
    submit: "Send link",
    pending: "Sending…",
    failed: "The email address could not be changed.",
    sentTitle: "Check the new inbox",
    sent: "We sent a link to {{email}}. Open it within one hour. Nothing changes until then.",
    done: "Done",
    correctLead:
      "You signed up with {{email}}, which is not confirmed yet. The new address replaces it immediately, and we send the confirmation link there.",
    correctSubmit: "Change address and send link",
    corrected: "Your address is now {{email}}. We sent the confirmation link there. The previous link no longer works.",
  },
  pending: {
    title: "We sent a link to {{email}}",
    text: "The link is valid until {{time}}. Until you open it, {{email}} remains your address.",
    withdraw: "Withdraw",
    withdrawing: "Withdrawing…",
    withdrawn: "The change was withdrawn. {{email}} remains your address.",
    notWithdrawn: "The change could not be withdrawn",
    notResent: "The email could not be sent again",
    over: "This email change is no longer pending: it was confirmed or withdrawn, or its link has expired.",
    unknown: "We could not check for a pending email change",
  },
  password: {
    chooseTitle: "Choose a password",
    chooseSubmit: "Save password",
    chosen: "Your password was saved. All other devices were signed out.",
    title: "Change password",
    lead: "All other devices will be signed out.",
    current: "Current password",
    password: "New password",
    submit: "Change password",
    pending: "Changing…",
    failed: "The password could not be changed.",
    changed: "Your password was changed. All other devices were signed out.",
  },
  confirm: {
    page: "Change email",
    done: "Your email address was changed",
    doneText: "Your account now uses {{email}}. Sign in with it from now on.",
    continue: "Continue",
    proofTitle: "Confirm your new email address",
    proofLead: "You are not signed in to this account in this browser. Enter its password, or open the link where you are signed in.",
    proofOtherwise: "Don't recognize this account? Close this page, and nothing changes. Forgot the password?",
    failed: "The email address could not be changed",
    back: "Go to the start page",
  },
} as const;

export const t = wordsOf(
  {
    ...frameWords,
    account: accountWords,
    forgot: forgotWords,
    reset: resetWords,
    continueAs: continueAsWords,
    magic: magicWords,
  },
  { de: () => import("./words.de.ts") },
);
