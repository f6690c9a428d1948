/** The words of mails about passwords, addresses and signing in. */
import { wordsFor, type TranslatedMail } from "../../rendering/mail-words.ts";
import { germanCredentialWords } from "./credential-words.de.ts";

const english = {
  confirmEmail: {
    subject: "Confirm your email address",
    preview: "Confirm your address to set up your workspace.",
    heading: "Confirm your email address",
    welcome: "Welcome to Slipway. To set up your workspace, confirm that this address is yours.",
    button: "Confirm email address",
    expiry: "The link works for 24 hours. After that, sign in and request a new one.",
    notYou: "Didn't ask for this? Someone probably mistyped their own address. Ignore this email and nothing happens.",
  },
  resetPassword: {
    subject: "Choose a new password",
    preview: "The link works once and expires in one hour.",
    heading: "Choose a new password",
    asked: (account: string) => `Someone requested a new password for your account ${account}. If it was you, choose one here.`,
    button: "Choose a new password",
    expiry: "The link works once and expires in one hour. Choosing a new password signs you out on all devices.",
    notYou: "Didn't ask for this? Ignore this email. Your password stays as it is.",
  },
  memberPassword: {
    subject: (account: string) => `Choose a new password for the workspace ${account}`,
    preview: "The link works for 20 minutes.",
    heading: "Choose a new password",
    asked: (account: string, address: string) => `You requested a new password for the workspace ${account} at ${address}.`,
    button: "Choose a new password",
    expiry: "The link works for 20 minutes. To get another one, use “Forgot your password?” in the workspace.",
    notYou: "Didn't ask for this? Ignore this email. Your password stays as it is.",
  },
  passwordChanged: {
    subject: "Your password was changed",
    preview: "If this wasn't you, act now.",
    heading: "Your password was changed",
    changed: (account: string) => `The password of your account ${account} was just changed. All other devices were signed out.`,
    notYou: "Wasn't you? Choose a new password now:",
    button: "Choose a new password",
  },
  mailboxClaimed: {
    subject: "Choose a new password for your account",
    preview: "Your email address is confirmed. The old password no longer works.",
    heading: "Your email address is confirmed",
    confirmed: (account: string) => `You confirmed the email address of the account ${account} by opening a link in this mailbox.`,
    ended:
      "Because we could not tell whether you registered the account yourself, we signed out all other devices, withdrew its invitations and disabled its old password.",
    button: "Choose a new password",
    notYou: "You can also choose one in the panel, under Sign-in and security.",
  },
  changeEmail: {
    subject: "Confirm your new email address",
    preview: "The link works once and expires in one hour.",
    heading: "Confirm your new email address",
    asked: (account: string, email: string) => `The account ${account} will use ${email} once you confirm that this address is yours.`,
    button: "Confirm the new address",
    expiry: "The link works once and expires in one hour. Until you open it, the account keeps its old address.",
    notYou: "Don't know this account? Ignore this email and nothing happens.",
  },
  emailTaken: {
    subject: "You already have an account",
    preview: "Someone tried to use your address for another account.",
    heading: "You already have an account",
    asked: (email: string) =>
      `Someone tried to use ${email} for another account. That is not possible because an account with this address already exists. Nothing has changed.`,
    hint: "Was it you? Sign in with this address to use that account.",
    button: "Sign in",
    notYou: "Wasn't you? You don't need to do anything.",
  },
  emailChangeAsked: {
    subject: "Your email address is about to change",
    preview: "If this wasn't you, act now.",
    heading: "Your email address is about to change",
    asked: (account: string, masked: string) =>
      `Someone who knows the password of your account ${account} asked to replace this address with ${masked}. It changes once that address is confirmed.`,
    notYou: "Wasn't you? Choose a new password now. That also cancels the change.",
    button: "Choose a new password",
  },
  emailChanged: {
    subject: "Your email address was changed",
    preview: "If this wasn't you, contact support.",
    heading: "Your email address was changed",
    changed: (account: string, masked: string) => `Your account ${account} now uses ${masked}. This address no longer belongs to it.`,
    notYou: "Wasn't you? Contact support now.",
  },
  magicLink: {
    subject: "Your sign-in link",
    preview: "The link works once and expires in 10 minutes.",
    heading: "Sign in to Slipway",
    asked: "Here is the link you requested. It signs you in without a password.",
    button: "Sign in",
    expiry: "The link works once and expires in 10 minutes.",
    notYou: "Didn't ask for this? Ignore this email and don't share it.",
    workspace: {
      none: "You have no workspace yet. You can set one up after signing in.",
      online: (address: string) => `Your workspace ${address} is online.`,
      pending: (address: string) => `Your workspace ${address} is applying changes. This takes a moment.`,
      offline: (address: string) =>
        `Your workspace ${address} is offline. It is not responding, and we are restarting it. You can follow the progress, or restart it yourself, in the panel.`,
      stopped: (address: string) =>
        `Your workspace ${address} is stopped. Your data is kept. You can see why, and restart it, in the panel.`,
    },
  },
} as const;

/** Shared by the languages. */
export type CredentialWords = TranslatedMail<typeof english>;

/** The words for a reader of this language. */
export const credentialWords = wordsFor(english, germanCredentialWords);
