/** The words for a visitor whose workspace link belongs to another account. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const openWords = {
  title: "{{name}} belongs to another account",
  text: "You are signed in as {{name}}. Sign out, then sign in as the owner of that workspace.",
  member: "Are you a member of that workspace? Go back and sign in with the email address and password you chose when you joined.",
} as const;

export const t = wordsOf({ ...frameWords, openWorkspace: openWords }, { de: () => import("./words.de.ts") });
