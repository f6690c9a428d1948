/** The words of the mails about a closed account. */
import { wordsFor, type TranslatedMail } from "../../rendering/mail-words.ts";
import { germanClosingWords } from "./closing-words.de.ts";

const english = {
  closed: {
    subject: "Your account was closed",
    preview: (day: string) => `You can reopen it until ${day}.`,
    heading: "Your account was closed",
    byOwner: (account: string) => `You closed the account ${account}. Its workspace is being deleted, after a last backup.`,
    byOperator: (account: string) => `We closed the account ${account}. Its workspace is being deleted, after a last backup.`,
    reason: (reason: string) => `The reason: ${reason}`,
    until: (day: string) =>
      `Until ${day} you can sign in to reopen the account. If your workspace was running before and your plan has not ended, it then comes back from its last backup. You can also download backups and invoices until then.`,
    later:
      "After that day the account can't be reopened and is erased: its backups, exports, people, answers, addresses and history. Invoices, with the address on them, and payments are kept for as long as tax law requires, and the account name is given to no one else.",
    button: "Open the panel",
  },
  erasing: {
    subject: "Your account is being erased",
    preview: "This is the last email about it.",
    heading: "Your account is being erased",
    what: (account: string) =>
      `The account ${account} was closed and can no longer be reopened. We are now erasing its workspace, backups, exports, people, answers, addresses and history.`,
    kept: "Invoices, with the address on them, and payments are kept for as long as tax law requires. The account name is given to no one else.",
    questions: (address: string) => `This is the last email about this account. If you have questions, write to ${address}.`,
  },
  reopened: {
    subject: "Your account was reopened",
    preview: "If your workspace was running before, it comes back from its last backup.",
    heading: "Your account was reopened",
    what: (account: string) =>
      `The account ${account} was reopened. If its workspace was running before and its plan has not ended, it is starting now, from its last backup. Send invitations to your team again.`,
    button: "Open the panel",
  },
};

export type ClosingWords = TranslatedMail<typeof english>;

export const closingWords = wordsFor(english, germanClosingWords);
