/** The words of the mails about a suspended account. */
import { wordsFor, type TranslatedMail } from "../../rendering/mail-words.ts";
import { germanSuspensionWords } from "./suspension-words.de.ts";

const english = {
  suspended: {
    subject: "Your account was suspended",
    preview: "Your workspace is stopped. Your data is kept.",
    heading: "Your account was suspended",
    what: (account: string) => `We suspended the account ${account}. Its workspace is stopped, and nothing answers at its URL.`,
    reason: (reason: string) => `The reason: ${reason}`,
    until: (day: string) => `The suspension ends on ${day}. Your workspace then starts again, with everything it had.`,
    openEnd: "The suspension lasts until we lift it. Your workspace then starts again, with everything it had.",
    kept: "Your data is kept. You can still sign in, download backups and read invoices. A payment does not lift the suspension; a subscription continues until you cancel it.",
    write: (address: string) => `Is this a mistake, or is the reason gone? Write to ${address}.`,
    button: "Open the panel",
  },
  resumed: {
    subject: "Your account is no longer suspended",
    preview: "Your workspace is what it was before.",
    heading: "Your account is no longer suspended",
    what: (account: string) =>
      `The suspension of the account ${account} ended. A workspace that ran before is starting now, with everything it had.`,
    button: "Open the panel",
  },
};

export type SuspensionWords = TranslatedMail<typeof english>;

export const suspensionWords = wordsFor(english, germanSuspensionWords);
