/** Requesting a link, and arriving with one. Arriving waits for a press, because programs that scan mails open links too. */
import { useEffect, useState } from "react";
import { Link, replace, useLoaderData, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { EmailRequest } from "../../features/credentials/email-change/email-request.tsx";
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
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("magic.title")}</h1>
      <p className="mt-2 text-ink-soft">{t("magic.lead")}</p>
      {hasFailed ? (
        <Notice tone="danger" title={t("magic.landingFailed")} className="mt-5">
          {t("magic.landingFailedNext")}
        </Notice>
      ) : null}
      <EmailRequest
        label={t("magic.email")}
        submit={t("magic.submit")}
        pending={t("magic.pending")}
        send={(email) => callApi("requestMagicLink", { body: { email } }).then(() => undefined)}
        failure={() => (
          <Notice tone="danger" title={t("magic.failed")}>
            {t("magic.failedNext")}
          </Notice>
        )}
        sent={(email) => t("magic.sent", { email })}
      />
      <p className="mt-6 text-sm">
        <Link to={paths.login} className="link font-medium">
          {t("magic.withPassword")}
        </Link>
      </p>
    </>
  );
}
