/** The mail that confirms what cannot be undone. */
import type { Mail } from "../mail.ts";
import { mailWords } from "../words.ts";
import { workspaceWords } from "../workspace-words.ts";
import { oneLine } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

export interface WorkspaceDeletedMail {
  to: string;
  fullName: string;
  accountName: string;
  workspaceUrl: string;
  dashboardUrl: string;
}

/** Renders the mail. It says what is gone, and what goes on. */
export function workspaceDeletedMail({ to, fullName, accountName, workspaceUrl, dashboardUrl }: WorkspaceDeletedMail): Promise<Mail> {
  const words = workspaceWords.deleted;
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
