/** Words of the page that a suspended account has in place of its dashboard. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";
import { closingWords } from "../closing/words.ts";

export const suspensionWords = {
  page: "Account suspended",
  title: "Your account is suspended",
  lead: "Your workspace is stopped, and nothing answers at its URL. Its data is kept.",
  reason: "Reason",
  since: "Since",
  until: "Until",
  openEnd: "Until we lift it",
  afterwards: "Your workspace then starts again, with everything it had.",
  contact: {
    title: "Is this a mistake, or is the reason gone?",
    text: "Write to {{email}}, with the name of your account: {{account}}.",
    none: "Write to our support, with the name of your account: {{account}}.",
    action: "Write to support",
    subject: "Suspended account {{account}}",
  },
  can: {
    title: "What you can still do",
    backups: "Make backups and download them",
    billing: "Read invoices, or cancel your subscription",
    security: "Change your password, and see who is signed in",
    payment: "A payment does not lift the suspension. A subscription continues until you cancel it.",
  },
} as const;

export const t = wordsOf({ ...frameWords, suspension: suspensionWords, closing: closingWords }, { de: () => import("./words.de.ts") });
