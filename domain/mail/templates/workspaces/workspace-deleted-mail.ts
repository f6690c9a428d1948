/** The mail that confirms the deletion of a workspace. */
import { lastBackupDays } from "#contract/billing/plans/plan-days.ts";
import type { Mail } from "../../mail.ts";
import { mailWords, wordsFor, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const english = {
  subject: (account: string) => `Your workspace ${account} is being deleted`,
  preview: `Its workflows, executions and credentials are removed. A last backup is kept for ${lastBackupDays} days.`,
  heading: "Your workspace is being deleted",
  asked: (account: string, address: string) =>
    `The workspace of your account ${account} at ${address} is being deleted, as requested in the panel. Its workflows, executions, credentials and members are removed. A last backup is kept for ${lastBackupDays} days.`,
  goesOn:
    "Your account and your subscription continue. On the Backups page you can download the last backup; on the dashboard you can create a new workspace and restore the backup into it.",
  button: "Open the dashboard",
  notYou: "Didn't ask for this? Change your password now and write to us.",
} as const;

const wordsIn = wordsFor(english, {
  subject: (account) => `Ihr Workspace ${account} wird gelöscht`,
  preview: `Workflows, Ausführungen und Zugangsdaten werden entfernt. Ein letztes Backup wird ${lastBackupDays} Tage lang aufbewahrt.`,
  heading: "Ihr Workspace wird gelöscht",
  asked: (account, address) =>
    `Der Workspace Ihres Kontos ${account} unter ${address} wird gelöscht, wie im Panel angefordert. Seine Workflows, Ausführungen, Zugangsdaten und Mitglieder werden entfernt. Ein letztes Backup wird ${lastBackupDays} Tage lang aufbewahrt.`,
  goesOn:
    "Ihr Konto und Ihr Abo bestehen weiter. Auf der Seite „Backups“ können Sie das letzte Backup herunterladen; auf dem Dashboard können Sie einen neuen Workspace erstellen und das Backup darin wiederherstellen.",
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
}

/** Renders the mail. It says what is removed and what continues. */
export function workspaceDeletedMail(mail: WorkspaceDeletedMail): Promise<Mail> {
  const { to, fullName, language, accountName, workspaceUrl, dashboardUrl } = mail;
  const words = wordsIn(language);
  return renderMail(to, {
    language,
    subject: words.subject(accountName),
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords(language).greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.asked(accountName, new URL(workspaceUrl).host) },
      { kind: "paragraph", text: words.goesOn },
      { kind: "action", label: words.button, href: dashboardUrl },
      { kind: "note", text: words.notYou },
    ],
  });
}
