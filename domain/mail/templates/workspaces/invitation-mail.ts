/** The mail that invites a person to a workspace. */
import type { Mail } from "../../mail.ts";
import { wordsFor, type MailLanguage, type TranslatedMail } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const english = {
  subject: (inviter: string, account: string) => `${inviter} invited you to their workspace ${account}`,
  preview: "Choose a name and a password to join.",
  heading: "You're invited",
  invited: (inviter: string, account: string) =>
    `${inviter} invited you to their workspace ${account}, where they build automations. Choose a name and a password to join.`,
  button: "Join the workspace",
  ownSpace: "You get your own space for your workflows and credentials.",
  address: (address: string) => `The workspace is at ${address}. From now on, sign in there.`,
  notYou: "Don't know this person? Ignore this email and nothing happens.",
} as const;

const german: TranslatedMail<typeof english> = {
  subject: (inviter, account) => `${inviter} lädt Sie in den Workspace ${account} ein`,
  preview: "Wählen Sie einen Namen und ein Passwort, um beizutreten.",
  heading: "Sie sind eingeladen",
  invited: (inviter, account) =>
    `${inviter} lädt Sie in den Workspace ${account} ein, in dem Automatisierungen entstehen. Wählen Sie einen Namen und ein Passwort, um beizutreten.`,
  button: "Workspace beitreten",
  ownSpace: "Sie erhalten einen eigenen Bereich für Ihre Workflows und Zugangsdaten.",
  address: (address) => `Der Workspace ist unter ${address} erreichbar. Melden Sie sich künftig dort an.`,
  notYou: "Kennen Sie diese Person nicht? Ignorieren Sie diese E-Mail, und es passiert nichts.",
};

const wordsIn = wordsFor(english, german);

/** The subjects of all invitations to this account's workspace, whoever invites, as patterns of SQL's LIKE. */
export const invitationSubjects = (accountName: string): string[] => [english, german].map(({ subject }) => subject("%", accountName));

interface InvitationMail {
  to: string;
  /** The inviter's: that of the invited person is not known. */
  language: MailLanguage;
  /** As typed in the registration: any text. */
  inviterName: string;
  accountName: string;
  /** Of the workspace, without a path. */
  workspaceUrl: string;
  /** Complete URL where the person joins. */
  link: string;
}

/** Renders the mail. It says who invites, to what, and where to sign in later. */
export function invitationMail({ to, language, inviterName, accountName, workspaceUrl, link }: InvitationMail): Promise<Mail> {
  const inviter = oneLine(inviterName);
  const words = wordsIn(language);
  return renderMail(to, {
    language,
    subject: words.subject(inviter, accountName),
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: words.invited(inviter, accountName) },
      { kind: "action", label: words.button, href: link },
      { kind: "note", text: words.ownSpace },
      { kind: "note", text: words.address(workspaceUrl) },
      { kind: "note", text: words.notYou },
    ],
  });
}
