/** An owner requests a link that signs in without a password, often because the workspace does not answer. */
import { findOwner, findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { hasLinkForPause, mailLink } from "#domain/accounts/links/mail-link.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { magicLinkMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { limitLinks } from "../signed-in/limit-links.ts";

/**
 * Mails the link and the workspace's status if the address is an owner's. If not, or if the mailbox has reached its limit and the link it
 * has still works, answer and delay are the same.
 */
export async function requestMagicLink({ db, clock, publicUrl }: Services, email: string, visitor: Visitor): Promise<void> {
  const now = clock.now();
  const limit = await limitLinks(db, email, visitor, now);
  await inSameTime(async () => {
    const pause = await limit();
    const person = await findPersonByEmail(db, email);
    const isOwner = person?.kind === "member" && (await findOwner(db, person.accountId))?.userId === person.userId;
    if (!person || !isOwner || (await hasLinkForPause(db, person.userId, { purpose: "magic-link", email, pause }, now))) return;
    const workspace = await findWorkspace(db, person.accountId);
    const standing = workspace && {
      status: workspaceStatus(workspace),
      address: new URL(workspaceUrl(publicUrl, person.accountName)).host,
    };
    const token = newToken();
    const mail = await magicLinkMail(person, mailLinks(publicUrl).magicLink(token), standing);
    const { address } = visitor;
    await mailLink(db, person, { purpose: "magic-link", token, email, mail, pause, action: "magic-link.asked", address }, now);
  });
}
