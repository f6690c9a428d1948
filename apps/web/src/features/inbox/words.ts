/** The words of the development inbox. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const inboxWords = {
  page: "Development inbox",
  title: "Development inbox",
  lead: "No mail server is configured, so emails are kept here instead of being sent. New ones appear automatically.",
  list: "Messages",
  empty: "No emails yet",
  emptyText: "Sign up or resend an email, and it appears here.",
  closed: "The development inbox is not available",
  closedText: "It is available only outside production and without a mail server.",
  choose: "Choose a message to read it.",
  to: "To",
  body: "Message: {{subject}}",
  links: "Links in this message",
  back: "All messages",
} as const;

export const t = wordsOf({ ...frameWords, inbox: inboxWords }, { de: () => import("./words.de.ts") });
