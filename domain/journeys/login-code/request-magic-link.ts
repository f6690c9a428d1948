/** An owner requests a link that signs in without a password, often because the workspace does not answer. */
import { findOwner, findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { mailLink } from "#domain/accounts/links/mail-link.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mayMail, refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { magicLinkMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import type { Services } from "../services.ts";

/** Mails the link and the workspace's status if the address is an owner's. Otherwise answer and delay are the same. */
export async function requestMagicLink({ db, clock, publicUrl }: Services, email: string, address: string): Promise<void> {
  const now = clock.now();
  await refuseTooManyMails(db, address, now);
  await inSameTime(async () => {
    const isAllowed = await mayMail(db, email, now, "link-recipient");
    const person = await findPersonByEmail(db, email);
    const isOwner = person?.kind === "member" && (await findOwner(db, person.accountId))?.userId === person.userId;
    if (!isAllowed || !person || !isOwner) return;
    const workspace = await findWorkspace(db, person.accountId);
    const standing = workspace && {
      status: workspaceStatus(workspace),
      address: new URL(workspaceUrl(publicUrl, person.accountName)).host,
    };
    const token = newToken();
    const mail = await magicLinkMail(person, `${publicUrl}/magic-link?code=${token}`, standing);
    await mailLink(db, person, { purpose: "magic-link", token, email, mail, action: "magic-link.asked", address }, now);
  });
}
