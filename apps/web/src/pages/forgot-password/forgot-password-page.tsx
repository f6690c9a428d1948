import { Link, useLocation } from "react-router";
import { EmailRequest } from "../../features/credentials/email-change/email-request.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { typedElsewhere } from "../../features/credentials/email-change/typed-elsewhere.ts";
import { paths } from "../../lib/paths.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "../../features/credentials/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("forgot.page") };

export function Component() {
  const { search, state } = useLocation();
  return (
    <div className="p-6 sm:p-8">
      <EmailRequest
        title={t("forgot.title")}
        lead={t("forgot.lead")}
        {...typedElsewhere(state)}
        label={t("forgot.email")}
        submit={t("forgot.submit")}
        pending={t("forgot.pending")}
        send={(email) => callApi("forgotPassword", { body: { email } }).then(() => undefined)}
        failure={(error) => <ErrorNotice error={error} title={t("forgot.failed")} />}
        failed={t("forgot.failed")}
        sent={t("forgot.sent")}
      />
      <p className="mt-6 border-t border-line pt-5 text-center text-sm">
        <Link to={`${paths.login}${search}`} className="link font-medium">
          {t("forgot.back")}
        </Link>
      </p>
    </div>
  );
}
