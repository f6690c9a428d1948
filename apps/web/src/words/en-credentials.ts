/** Words of passwords, addresses and ways to sign in. */
export const loginExtraWords = {
  forgot: "Forgot password?",
  magicLink: "Email me a link to log in",
  technical: "You could not be logged in. Please try again.",
  strange: "Something went wrong...",
  publisherAction: "Create a new account",
} as const;

export const forgotWords = {
  page: "Forgot password",
  title: "Forgot your password?",
  lead: "Enter the email address of your account, and we send you a link to choose a new password.",
  email: "Email",
  submit: "Send the link",
  pending: "Sending…",
  failed: "The email could not be sent.",
  sentTitle: "Check your inbox",
  sent: "If there is an account with {{email}}, an email with a link is on its way. It works once, for an hour.",
  sentTips: "Nothing there after a few minutes? Look into the spam folder, and check the address for spelling errors.",
  again: "Use another address",
  back: "Back to login",
} as const;

export const resetWords = {
  page: "Choose a new password",
  title: "Choose a new password",
  lead: "You will be logged out on all devices.",
  password: "New password",
  submit: "Save the new password",
  pending: "Saving…",
  failed: "The password could not be changed.",
  done: "Your password was changed. Log in with the new one.",
  askAgain: "Ask for a new link",
  incomplete: "This link is incomplete.",
  incompleteNext: "Open it again from the email, or ask for a new one.",
} as const;

export const magicWords = {
  page: "Log in by email",
  title: "Log in without a password",
  lead: "We send the owner of a workspace a link that logs in to the panel, also while the workspace is offline.",
  email: "Email of the owner",
  submit: "Send me a link",
  pending: "Sending…",
  failed: "Could not send magic link",
  failedNext: "Please try again. If it stays, contact support.",
  sent: "If {{email}} is an owner's address, an email with a link is on its way. It says how the workspace is, and its link works once, for 15 minutes.",
  landingTitle: "Log in to Slipway",
  landingLead: "Your link is ready. It works once, in this browser.",
  landingSubmit: "Log in",
  landingPending: "Logging in…",
  landingFailed: "Could not log in user with authentication code",
  landingFailedNext: "The link has expired or was already used. Ask for a new one below. If that does not help either, please contact support.",
  withPassword: "Log in with a password",
} as const;

export const codeWords = { failed: "Could not log in user with authentication code" } as const;

export const accountWords = {
  menu: "Account",
  menuOf: "Account of {{name}}",
  changeEmail: "Change email",
  changePassword: "Change password",
  close: "Close",
  email: {
    title: "Change email",
    lead: "Now it is {{email}}. The new address counts once you have opened the link that we send there.",
    email: "New email",
    password: "Current password",
    submit: "Send the link",
    pending: "Sending…",
    failed: "The email address could not be changed.",
    sentTitle: "Check the new inbox",
    sent: "We sent an email to {{email}}. Open the link in it within an hour; until then nothing changes.",
    done: "Done",
  },
  password: {
    title: "Change password",
    lead: "All other devices will be logged out.",
    current: "Current password",
    password: "New password",
    submit: "Change password",
    pending: "Changing…",
    failed: "The password could not be changed.",
    changed: "Your password was changed. All other devices were logged out.",
  },
  confirm: {
    page: "Change email",
    done: "Your email address was changed",
    doneText: "Your account now uses {{email}}. Log in with it from now on.",
    continue: "Continue",
    failed: "The email address could not be changed",
    back: "Go to the start page",
  },
} as const;
