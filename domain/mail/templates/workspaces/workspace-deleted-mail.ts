/** The mail that confirms the deletion of a workspace. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const words = {
  subject: (account: string) => `Your workspace ${account} is being deleted`,
  preview: "Its workflows, executions and credentials are removed. A last backup is kept for 30 days.",
  heading: "Your workspace is being deleted",
  asked: (account: string, address: string) =>
    `The workspace of your account ${account} at ${address} is being deleted, as requested in the panel. Its workflows, executions, credentials and members are removed. A last backup is kept for 30 days.`,
  goesOn:
    "Your account and your subscription continue. On the Export page you can download the last backup; on the dashboard you can create a new workspace and restore the backup into it.",
  button: "Open the dashboard",
  notYou: "Didn't ask for this? Change your password now and write to us.",
} as const;

export interface WorkspaceDeletedMail {
  to: string;
  fullName: string;
  accountName: string;
  workspaceUrl: string;
  dashboardUrl: string;
}

/** Renders the mail. It says what is gone, and what continues. */
export function workspaceDeletedMail({ to, fullName, accountName, workspaceUrl, dashboardUrl }: WorkspaceDeletedMail): Promise<Mail> {
  return renderMail(to, {
    subject: words.subject(accountName),
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.asked(accountName, new URL(workspaceUrl).host) },
      { kind: "paragraph", text: words.goesOn },
      { kind: "action", label: words.button, href: dashboardUrl },
      { kind: "note", text: words.notYou },
    ],
  });
}
