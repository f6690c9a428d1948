/** Requesting a link, and arriving with one. Arriving waits for a press, because programs that scan mails open links too. */
import { useEffect, useState } from "react";
import { Link, replace, useLoaderData, useLocation, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { EmailRequest } from "../../features/credentials/email-change/email-request.tsx";
import { typedElsewhere } from "../../features/credentials/email-change/typed-elsewhere.ts";
import { meetCode, withoutCode } from "../../features/credentials/meet-code.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "../../features/credentials/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("magic.page") };

type Outcome = { hasFailed: boolean };

export async function loader({ request }: LoaderFunctionArgs): Promise<Outcome | Response> {
  const { search } = new URL(request.url);
  const code = new URLSearchParams(search).get("code");
  if (!code) return { hasFailed: false };
  try {
    return replace(await meetCode(code, search));
  } catch (error) {
    console.warn("The magic link could not be used.", error);
    return { hasFailed: true };
  }
}

export function Component() {
  const outcome = useLoaderData<Outcome>();
  const [items, setItems] = useSearchParams();
  const [hasFailed] = useState(outcome.hasFailed);
  const hasCode = items.has("code");
  useEffect(() => {
    // The code is not valid: a reload must not try it again.
    if (hasCode) setItems((before) => withoutCode(before.toString()), { replace: true });
  }, [hasCode, setItems]);
  return (
    <div className="p-6 sm:p-8">
      <Request hasFailed={hasFailed} />
    </div>
  );
}

function Request({ hasFailed }: { hasFailed: boolean }) {
  const { search, state } = useLocation();
  return (
    <>
      <EmailRequest
        title={t("magic.title")}
        lead={t("magic.lead")}
        {...typedElsewhere(state)}
        notice={
          hasFailed ? (
            <Notice tone="danger" title={t("magic.landingFailed")} className="mt-5">
              {t("magic.landingFailedNext")}
            </Notice>
          ) : null
        }
        label={t("magic.email")}
        submit={t("magic.submit")}
        pending={t("magic.pending")}
        send={(email) => callApi("requestMagicLink", { body: { email } }).then(() => undefined)}
        failure={() => (
          <Notice tone="danger" title={t("magic.failed")}>
            {t("magic.failedNext")}
          </Notice>
        )}
        failed={t("magic.failed")}
        sent={t("magic.sent")}
      />
      <p className="mt-6 border-t border-line pt-5 text-center text-sm">
        <Link to={`${paths.login}${search}`} className="link font-medium">
          {t("magic.withPassword")}
        </Link>
      </p>
    </>
  );
}
