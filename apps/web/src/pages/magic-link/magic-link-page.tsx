/**
 * Asking for a link, and landing with one. Landing waits for a press: programs that look into mails open links too, and
 * nobody should find themselves in a stranger's account by following one.
 */
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { EmailRequest } from "../../features/credentials/email-request.tsx";
import { signInByCode } from "../../features/credentials/sign-in-by-code.ts";
import { callApi } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { destinationAfterLogin } from "../../lib/return-path.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import "../../words/add-visitor-words.ts";
import { t } from "../../words/words.ts";

export function Component() {
  const [items, setItems] = useSearchParams();
  const [hasFailed, setHasFailed] = useState(false);
  const code = items.get("code");
  const fail = () => {
    setHasFailed(true);
    // The code is used up: a reload must not try it again.
    setItems((before) => withoutCode(before), { replace: true });
  };
  return <div className="p-6 sm:p-8">{code ? <Landing code={code} search={`?${items}`} onFailed={fail} /> : <Request hasFailed={hasFailed} />}</div>;
}

function withoutCode(items: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(items);
  rest.delete("code");
  return rest;
}

function Landing({ code, search, onFailed }: { code: string; search: string; onFailed: () => void }) {
  const navigate = useNavigate();
  const logIn = useAction(async () => {
    try {
      await signInByCode(code);
    } catch (error) {
      console.warn("The magic link could not be used.", error);
      return onFailed();
    }
    await navigate(destinationAfterLogin(search), { replace: true });
  });
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("magic.landingTitle")}</h1>
      <p className="mt-2 mb-6 text-ink-soft">{t("magic.landingLead")}</p>
      <Button onClick={() => void logIn.run()} pending={logIn.pending} pendingText={t("magic.landingPending")} className="w-full">
        {t("magic.landingSubmit")}
      </Button>
    </>
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
