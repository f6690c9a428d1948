import { Link, useNavigate } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { moment } from "../../lib/formats.ts";
import { serviceNowMs } from "../../lib/browser/use-now.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { refreshUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "../suspension/words.ts";

/** Until when the closed account can be kept, the way back, and the way to its data. */
export function ClosedSections({ account, closing }: { account: User["account"]; closing: NonNullable<User["account"]["closing"]> }) {
  const navigate = useNavigate();
  const eraseAt = new Date(closing.eraseAt);
  const isOver = eraseAt.getTime() <= serviceNowMs();
  const keep = useAction(async () => {
    await callApi("reopenAccount");
    await refreshUser();
    notify("info", t("closing.closed.kept"));
    await navigate(paths.dashboard);
  });
  return (
    <>
      <Section title={t("closing.closed.when", { since: moment.format(new Date(closing.since)) })}>
        <p className="max-w-prose text-sm">
          {isOver ? t("closing.closed.over") : t("closing.closed.until", { day: moment.format(eraseAt) })}
        </p>
        {closing.reason ? (
          <p className="mt-3 text-sm [overflow-wrap:anywhere]">
            <span className="font-medium">{t("closing.closed.reason")}:</span> {closing.reason}
          </p>
        ) : null}
        {keep.error ? <ErrorNotice error={keep.error} title={t("closing.closed.keepFailed")} className="mt-4" /> : null}
        {isOver ? null : account.suspension ? (
          <p className="mt-3 text-sm">{t("closing.closed.suspended")}</p>
        ) : (
          <>
            <Button
              pending={keep.pending}
              pendingText={t("closing.closed.keeping")}
              onClick={() => void keep.run()}
              className="mt-4 max-sm:w-full"
            >
              {t("closing.closed.keep")}
            </Button>
            <p className="mt-2 text-sm text-ink-soft">{t("closing.closed.keepText")}</p>
          </>
        )}
      </Section>
      <Take account={account} />
    </>
  );
}

function Take({ account: { isSetup, billing } }: { account: User["account"] }) {
  if (!isSetup) return null;
  return (
    <Section title={t("closing.closed.take")}>
      <ul className="space-y-2 text-sm">
        <li>
          <Link to={paths.backups} className="link font-medium">
            {t("closing.closed.backups")}
          </Link>
        </li>
        {billing ? (
          <li>
            <Link to={paths.billing} className="link font-medium">
              {t("closing.closed.invoices")}
            </Link>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}
