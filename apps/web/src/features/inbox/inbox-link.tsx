import { Inbox } from "lucide-react";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { t } from "../sign-up/registration/words.ts";

/** The link to the inbox for mails that no mail server sends; nothing in production. */
export function InboxLink() {
  const { developmentInbox } = useFrontEndConfig();
  if (!developmentInbox) return null;
  return (
    <ButtonLink to={paths.developmentInbox}>
      <Inbox className="size-4" aria-hidden="true" />
      {t("verify.inbox")}
    </ButtonLink>
  );
}
