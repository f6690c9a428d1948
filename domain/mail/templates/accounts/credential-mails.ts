/** Mails about passwords, addresses and signing in. Names are user input, so each is reduced to one line. */
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { credentialWords, type CredentialWords } from "./credential-words.ts";
import type { Mail } from "../../mail.ts";
import { mailWords, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

export interface Recipient {
  email: string;
  fullName: string;
  language: MailLanguage;
  accountName: string;
}

type Frame = { subject: string; preview: string; heading: string };

const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });
const note = (text: string): MailBlock => ({ kind: "note", text });
const action = (label: string, href: string): MailBlock => ({ kind: "action", label, href });

function render(to: Recipient, { subject, preview, heading }: Frame, blocks: MailBlock[]): Promise<Mail> {
  const { email, fullName, language } = to;
  const greeting = paragraph(mailWords(language).greeting(oneLine(fullName)));
  return renderMail(email, { language, subject, preview, heading, blocks: [greeting, ...blocks] });
}

/** `link` is the complete URL with the token; the words promise an hour. */
export function resetPasswordMail(to: Recipient, link: string): Promise<Mail> {
  const words = credentialWords(to.language).resetPassword;
  return render(to, words, [paragraph(words.asked(to.accountName)), action(words.button, link), note(words.expiry), note(words.notYou)]);
}

export interface MemberPassword {
  to: string;
  accountName: string;
  workspaceUrl: string;
  /** Complete URL where the member chooses a password, inside the workspace. */
  link: string;
}

/**
 * To a workspace member, who may not know the panel, and whose language is unknown: it names the workspace, and contains no names that the
 * workspace could choose.
 */
export function memberPasswordMail({ to, accountName, workspaceUrl, link }: MemberPassword): Promise<Mail> {
  const { subject, preview, heading, asked, button, expiry, notYou } = credentialWords(null).memberPassword;
  return renderMail(to, {
    subject: subject(accountName),
    preview,
    heading,
    blocks: [paragraph(asked(accountName, workspaceUrl)), action(button, link), note(expiry), note(notYou)],
  });
}

/** Of all such mails of this account's workspace. */
export const memberPasswordSubjects = (accountName: string): string[] =>
  ([null, "de"] as const).map((language) => credentialWords(language).memberPassword.subject(accountName));

/** `forgotLink`: the page to request a new password. */
export function passwordChangedMail(to: Recipient, forgotLink: string): Promise<Mail> {
  const words = credentialWords(to.language).passwordChanged;
  return render(to, words, [paragraph(words.changed(to.accountName)), paragraph(words.notYou), action(words.button, forgotLink)]);
}

/** To the reader of a mailbox, after it was proved for the first time by a person who may not have registered. */
export function mailboxClaimedMail(to: Recipient, forgotLink: string): Promise<Mail> {
  const words = credentialWords(to.language).mailboxClaimed;
  return render(to, words, [
    paragraph(words.confirmed(to.accountName)),
    paragraph(words.ended),
    action(words.button, forgotLink),
    note(words.notYou),
  ]);
}

/** To the new address, which may be a stranger's, so without a name. */
export function changeEmailMail(
  { accountName, language }: Pick<Recipient, "accountName" | "language">,
  newEmail: string,
  link: string,
): Promise<Mail> {
  const words = credentialWords(language).changeEmail;
  const { subject, preview, heading } = words;
  return renderMail(newEmail, {
    language,
    subject,
    preview,
    heading,
    blocks: [paragraph(words.asked(accountName, newEmail)), action(words.button, link), note(words.expiry), note(words.notYou)],
  });
}

export const changeEmailSubjects = ([null, "de"] as const).map((language) => credentialWords(language).changeEmail.subject);

/** To the owner of an address that another user has requested. */
export function emailTakenMail({ email, language }: Pick<Recipient, "email" | "language">, loginLink: string): Promise<Mail> {
  const words = credentialWords(language).emailTaken;
  const { subject, preview, heading } = words;
  return renderMail(email, {
    language,
    subject,
    preview,
    heading,
    blocks: [paragraph(words.asked(email)), paragraph(words.hint), action(words.button, loginLink), note(words.notYou)],
  });
}

/** To the old address, while the change can still be stopped. */
export function emailChangeAskedMail(to: Recipient, newEmail: string, forgotLink: string): Promise<Mail> {
  const words = credentialWords(to.language).emailChangeAsked;
  return render(to, words, [
    paragraph(words.asked(to.accountName, maskEmail(newEmail))),
    paragraph(words.notYou),
    action(words.button, forgotLink),
  ]);
}

/** To the old address, after the change. */
export function emailChangedMail(to: Recipient, newEmail: string): Promise<Mail> {
  const words = credentialWords(to.language).emailChanged;
  return render(to, words, [paragraph(words.changed(to.accountName, maskEmail(newEmail))), note(words.notYou)]);
}

export interface WorkspaceStanding {
  status: 0 | 1 | 2 | 3;
  /** Its host name, not a link: the mail has only one link. */
  address: string;
}

/** States the workspace's status: owners often request a link because the workspace does not answer. */
export function magicLinkMail(to: Recipient, link: string, workspace: WorkspaceStanding | null): Promise<Mail> {
  const words = credentialWords(to.language).magicLink;
  return render(to, words, [
    paragraph(words.asked),
    paragraph(standing(words.workspace, workspace)),
    action(words.button, link),
    note(words.expiry),
    note(words.notYou),
  ]);
}

function standing(words: CredentialWords["magicLink"]["workspace"], workspace: WorkspaceStanding | null): string {
  if (!workspace) return words.none;
  const { offline, online, pending } = instanceStatus;
  const { status, address } = workspace;
  if (status === online) return words.online(address);
  if (status === pending) return words.pending(address);
  return status === offline ? words.offline(address) : words.stopped(address);
}

/** "a•••@example.com": enough to recognize one's own address, not enough to learn another's. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
