import { ExternalLink, Inbox } from "lucide-react";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { buttonClass, ButtonLink } from "../../ui/button.tsx";
import { t } from "../sign-up/registration/words.ts";
import { mailboxOf } from "./mailbox-of.ts";

/** Leads to the mailbox of this address: the development inbox if no mail server is set, otherwise the webmail that the address names. */
export function InboxLink({ email }: { email: string }) {
  const { developmentInbox } = useFrontEndConfig();
  const mailbox = mailboxOf(email);
  if (developmentInbox) {
    return (
      <ButtonLink to={paths.developmentInbox}>
        <Inbox className="size-4" aria-hidden="true" />
        {t("verify.inbox")}
      </ButtonLink>
    );
  }
  if (!mailbox) return null;
  return (
    <a href={mailbox.url} target="_blank" rel="noreferrer" className={buttonClass()}>
      {t("verify.openMailbox", { provider: mailbox.provider })}
      <ExternalLink className="size-4" aria-hidden="true" />
    </a>
  );
}
