import { Link, useLocation } from "react-router";
import { EmailRequest } from "../../features/credentials/email-change/email-request.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "../../features/credentials/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("forgot.page") };

export function Component() {
  const { search } = useLocation();
  return (
    <div className="p-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t("forgot.title")}</h1>
      <p className="mt-2 text-ink-soft">{t("forgot.lead")}</p>
      <EmailRequest
        label={t("forgot.email")}
        submit={t("forgot.submit")}
        pending={t("forgot.pending")}
        send={(email) => callApi("forgotPassword", { body: { email } }).then(() => undefined)}
        failure={(error) => <ErrorNotice error={error} title={t("forgot.failed")} />}
        sent={(email) => t("forgot.sent", { email })}
      />
      <p className="mt-6 text-sm">
        <Link to={`${paths.login}${search}`} className="link font-medium">
          {t("forgot.back")}
        </Link>
      </p>
    </div>
  );
}
