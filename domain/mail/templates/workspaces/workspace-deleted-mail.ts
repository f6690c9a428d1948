/** The mail that confirms the deletion of a workspace. */
import type { Mail } from "../../mail.ts";
import { mailWords, wordsFor, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const english = {
  subject: (account: string) => `Your workspace ${account} is being deleted`,
  preview: "Its workflows, executions and credentials are removed.",
  heading: "Your workspace is being deleted",
  asked: (account: string, address: string) =>
    `The workspace of your account ${account} at ${address} is being deleted, as requested in the panel. Its workflows, executions, credentials and members are removed.`,
  lastBackup:
    "A last backup is made and verified first. The Backups page shows until when it is kept: you can download it there, or restore it into a new workspace, which you create on the dashboard.",
  goesOn: "Your account and your subscription continue. You can create a new workspace on the dashboard.",
  button: "Open the dashboard",
  notYou: "Didn't ask for this? Change your password now and write to us.",
} as const;

const wordsIn = wordsFor(english, {
  subject: (account) => `Ihr Workspace ${account} wird gelöscht`,
  preview: "Workflows, Ausführungen und Zugangsdaten werden entfernt.",
  heading: "Ihr Workspace wird gelöscht",
  asked: (account, address) =>
    `Der Workspace Ihres Kontos ${account} unter ${address} wird gelöscht, wie im Panel angefordert. Seine Workflows, Ausführungen, Zugangsdaten und Mitglieder werden entfernt.`,
  lastBackup:
    "Vorher wird ein letztes Backup erstellt und geprüft. Die Seite „Backups“ zeigt, bis wann es aufbewahrt wird: Dort können Sie es herunterladen oder in einem neuen Workspace wiederherstellen, den Sie auf dem Dashboard erstellen.",
  goesOn: "Ihr Konto und Ihr Abo bestehen weiter. Auf dem Dashboard können Sie einen neuen Workspace erstellen.",
  button: "Dashboard öffnen",
  notYou: "Haben Sie das nicht angefordert? Ändern Sie jetzt Ihr Passwort, und schreiben Sie uns.",
});

interface WorkspaceDeletedMail {
  to: string;
  fullName: string;
  language: MailLanguage;
  accountName: string;
  workspaceUrl: string;
  dashboardUrl: string;
  /** Whether a last backup is made: not of a workspace that was never used. */
  hasLastBackup: boolean;
}

/** Renders the mail. It says what is removed and what continues. */
export function workspaceDeletedMail(mail: WorkspaceDeletedMail): Promise<Mail> {
  const { to, fullName, language, accountName, workspaceUrl, dashboardUrl, hasLastBackup } = mail;
  const words = wordsIn(language);
  return renderMail(to, {
    language,
    subject: words.subject(accountName),
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords(language).greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.asked(accountName, new URL(workspaceUrl).host) },
      ...(hasLastBackup ? [{ kind: "paragraph", text: words.lastBackup } as const] : []),
      { kind: "paragraph", text: words.goesOn },
      { kind: "action", label: words.button, href: dashboardUrl },
      { kind: "note", text: words.notYou },
    ],
  });
}
