/** The words of the sign-in page. */
import { signInFieldWords } from "#contract/api/sign-in-field-words.ts";
import { frameWords } from "../../words/frame.ts";
import { partOf, wordsOf } from "../../words/words-of.ts";

export const loginWords = {
  page: "Sign in",
  title: "Welcome back",
  login: "Account name or email",
  password: "Password",
  submit: "Sign in",
  pending: "Signing in…",
  noAccount: "New to Slipway?",
  register: "Create an account",
  forgot: "Forgot password?",
  or: "or",
  magicLink: "Email me a sign-in link",
  technical: "You could not be logged in. Please try again.",
  strange: "Something went wrong...",
  publisherAction: "Create a new account",
} as const;

export const codeWords = { failed: "Could not log in user with authentication code" } as const;

export const t = wordsOf({ ...frameWords, login: loginWords, code: codeWords }, { de: () => import("./words.de.ts") });

/** The sentences beside the fields. */
export const fieldText = partOf("signInFields", signInFieldWords, { de: () => import("./words.de.ts") });
