/** The mail that asks somebody into a workspace. */
import type { Mail } from "../mail.ts";
import { mailWords } from "../words.ts";
import { oneLine } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

export interface InvitationMail {
  to: string;
  /** As typed by whoever registered: any text. */
  inviterName: string;
  accountName: string;
  /** Of the workspace, without a path. */
  workspaceUrl: string;
  /** Complete address where the person joins. */
  link: string;
}

/** Renders the mail. It says who invites, to what, and where one logs in later. */
export function invitationMail({ to, inviterName, accountName, workspaceUrl, link }: InvitationMail): Promise<Mail> {
  const words = mailWords.invitation;
  const inviter = oneLine(inviterName);
  return renderMail(to, {
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
