/** The words of registering and of confirming an email address. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { frameWords } from "../../../words/frame.ts";
import { wordsOf } from "../../../words/words-of.ts";

const nameWords = {
  checking: "Checking availability…",
  free: "Available",
  taken: "Taken",
  instead: "Use {{name}} instead",
} as const;

export const registrationWords = {
  register: {
    page: "Create an account",
    title: "Create your account",
    lead: `About two minutes. Free for ${trialDays} days, no credit card.`,
    fullName: "Full name",
    accountName: "Account name",
    address: "Your workspace URL: {{address}}",
    addressPlaceholder: "your-name",
    passwordLength: "8 to 64 characters",
    email: "Email",
    emailConfirmation: "Confirm email",
    password: "Password",
    submit: "Create account",
    pending: "Creating your account…",
    agree: "By creating an account you agree to the",
    and: "and the",
    termsLink: "terms of service",
    privacyLink: "privacy policy",
    technical: "We are experiencing technical difficulties",
    accountFailed: "There was an error setting up your account",
    trialFailed: "There was an error setting up your trial",
  },
  nameCheck: nameWords,
  verify: {
    page: "Confirm your email",
    title: "Check your inbox",
    lead: "We sent a confirmation link to",
    next: "Open the link within 24 hours, on any device.",
    goesOn: "Waiting for you to confirm. This page then continues automatically.",
    changeAddress: "Change address",
    resend: "Send the email again",
    resending: "Sending…",
    resendIn: "Send again {{when}}",
    resent: "We sent a new email to {{email}}.",
    notResent: "Could not resend confirmation",
    resendFailed: "The email confirmation could not be sent. Please check the email address.",
    inbox: "Open the development inbox",
    openMailbox: "Open {{provider}}",
    tips: "No email? Check your spam folder, and the address above for typos.",
    confirmed: "Your email address is confirmed.",
  },
  proof: {
    password: "Account password",
    submit: "Confirm",
    pending: "Confirming…",
    newPassword: "Choose a new password",
  },
  confirm: {
    page: "Confirm your email",
    title: "Your email address is confirmed",
    already: "This address is already confirmed.",
    elsewhere: "Return to the window where you signed up: it continues automatically. Or sign in here.",
    proofTitle: "Confirm your email address",
    proofLead:
      "You are not signed in to this account in this browser. Enter the password you chose at sign-up, or open the link on the device you signed up on.",
    proofOtherwise:
      "Forgot the password, or didn't create this account? Choosing a new password gives you sole access and signs out all other sessions.",
    continue: "Continue",
    logIn: "Sign in to continue",
    failed: "The email address could not be confirmed",
    logInToResend: "Sign in to send a new link",
  },
} as const;

export const t = wordsOf({ ...frameWords, ...registrationWords }, { de: () => import("./words.de.ts") });
