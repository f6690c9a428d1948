/** The words of mails about passwords, addresses and signing in. */
export const credentialWords = {
  resetPassword: {
    subject: "Choose a new password",
    preview: "The link works once, for an hour.",
    heading: "Choose a new password",
    asked: (account: string) => `Somebody asked for a new password for your account ${account}. If it was you, choose one here.`,
    button: "Choose a new password",
    expiry: "The link works once, for an hour. Choosing a new password logs you out everywhere.",
    notYou: "You didn't ask for this? Ignore this email: your password stays as it is.",
  },
  memberPassword: {
    subject: (account: string) => `Choose a new password for the workspace ${account}`,
    preview: "The link works for 20 minutes.",
    heading: "Choose a new password",
    asked: (account: string, address: string) => `You asked for a new password for the workspace ${account} at ${address}.`,
    button: "Choose a new password",
    expiry: "The link works for 20 minutes. To get another one, use “Forgot your password?” in the workspace.",
    notYou: "Didn't ask for this? Ignore this email. Your password stays as it is.",
  },
  passwordChanged: {
    subject: "Your password was changed",
    preview: "If it was not you, act now.",
    heading: "Your password was changed",
    changed: (account: string) => `The password of your account ${account} was changed just now. All other devices were logged out.`,
    notYou: "It was not you? Choose a new password at once:",
    button: "Choose a new password",
  },
  mailboxClaimed: {
    subject: "Choose a new password for your account",
    preview: "Your email address is confirmed. The old password no longer works.",
    heading: "Your email address is confirmed",
    confirmed: (account: string) => `You confirmed the email address of the account ${account} by opening a link in this mailbox.`,
    ended:
      "Because we could not tell that the account was registered by you, we signed out all other devices, withdrew its invitations, and the password it was registered with no longer works.",
    button: "Choose a new password",
    notYou: "You can also choose one in the panel, under Sign-in and security.",
  },
  changeEmail: {
    subject: "Confirm your new email address",
    preview: "The link works once, for an hour.",
    heading: "Confirm your new email address",
    asked: (account: string, email: string) => `The account ${account} is to use ${email} from now on. Confirm that this address is yours.`,
    button: "Confirm the new address",
    expiry: "The link works once, for an hour. Until then the account keeps its old address.",
    notYou: "You don't know this account? Ignore this email and nothing happens.",
  },
  emailTaken: {
    subject: "You already have an account",
    preview: "Somebody wanted to use your address for another account.",
    heading: "You already have an account",
    asked: (email: string) =>
      `Somebody wanted to use ${email} for another account. That is not possible, because there already is an account with this address. Nothing has changed.`,
    hint: "Was it you? Log in with this address to get to that account.",
    button: "Log in",
    notYou: "It was not you? There is nothing you have to do.",
  },
  emailChangeAsked: {
    subject: "Your email address is about to change",
    preview: "If it was not you, act now.",
    heading: "Your email address is about to change",
    asked: (account: string, masked: string) =>
      `Somebody who knows the password asked that your account ${account} use ${masked} instead of this address. It changes once that address is confirmed.`,
    notYou: "It was not you? Choose a new password at once: that also cancels the change.",
    button: "Choose a new password",
  },
  emailChanged: {
    subject: "Your email address was changed",
    preview: "If it was not you, contact support.",
    heading: "Your email address was changed",
    changed: (account: string, masked: string) => `Your account ${account} now uses ${masked}. This address no longer belongs to it.`,
    notYou: "It was not you? Contact support at once.",
  },
  magicLink: {
    subject: "Your link to log in",
    preview: "The link works once, for 10 minutes.",
    heading: "Log in to Slipway",
    asked: "Here is the link you asked for. It logs you in to the panel without a password.",
    button: "Log in",
    expiry: "The link works once, for 10 minutes.",
    notYou: "You didn't ask for this? Ignore this email, and give it to nobody.",
    workspace: {
      none: "You have no workspace yet. After logging in you can set one up.",
      online: (address: string) => `Your workspace ${address} is online.`,
      pending: (address: string) => `Your workspace ${address} is applying changes right now. This takes a moment.`,
      offline: (address: string) =>
        `Your workspace ${address} is offline: it should answer and does not. We are bringing it back, and in the panel you can see how far we are and restart it.`,
      stopped: (address: string) =>
        `Your workspace ${address} is stopped. Your data is kept; in the panel you can see why and start it again.`,
    },
  },
} as const;
