import { CloseSection } from "../../features/closing/close-section.tsx";
import { ClosedSections } from "../../features/closing/closed-sections.tsx";
import { t } from "../../features/suspension/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { Place } from "../../ui/place.tsx";

export const handle: PageHandle = { title: () => t("closing.page") };

/** Closes the account, or says that it is closed: then it is in place of the dashboard. */
export function Component() {
  const account = useMaybeUser()?.account;
  if (!account) return null;
  if (account.closing)
    return (
      <Place title={t("closing.closed.title")} lead={t("closing.closed.lead")}>
        <ClosedSections account={account} closing={account.closing} />
      </Place>
    );
  return (
    <Place title={t("closing.title")} lead={t("closing.lead")}>
      <CloseSection />
    </Place>
  );
}
