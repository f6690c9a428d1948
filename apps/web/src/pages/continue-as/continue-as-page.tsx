/** An explicit step between a link with a code and the account that it opens. */
import { redirect, useLoaderData, useLocation, useNavigate, type LoaderFunctionArgs } from "react-router";
import { currentOffer, endOffer, type CodeOffer } from "../../features/credentials/meet-code.ts";
import { signInByCode } from "../../features/credentials/sign-in-by-code.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { destinationAfterLogin } from "../../lib/session/return-path.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "../../features/credentials/words.ts";
import { t as loginText } from "../login/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("continueAs.page") };

/** Without a pending code there is nothing to ask. */
export const loader = ({ request }: LoaderFunctionArgs): CodeOffer | Response =>
  currentOffer() ?? redirect(`${paths.login}${new URL(request.url).search}`);

export function Component() {
  const { code, accountName, otherAccount } = useLoaderData<CodeOffer>();
  const { search } = useLocation();
  const navigate = useNavigate();
  const leave = () => {
    endOffer();
    // The login page redirects signed-in users to their own pages.
    void navigate(`${paths.login}${search}`, { replace: true });
  };
  const logIn = useAction(async () => {
    try {
      await signInByCode(code);
    } catch (error) {
      console.warn("The code could not be used.", error);
      notify("danger", loginText("code.failed"));
      return leave();
    }
    endOffer();
    await navigate(destinationAfterLogin(search), { replace: true });
  });
  return (
    <div className="p-6 sm:p-8">
      <h1 className="text-2xl font-semibold [overflow-wrap:anywhere]">{t("continueAs.title", { name: accountName })}</h1>
      <p className="mt-2 text-ink-soft">{t("continueAs.lead")}</p>
      {otherAccount === null ? null : (
        <Notice tone="warning" title={t("continueAs.other", { name: otherAccount })} className="mt-5">
          {t("continueAs.otherText")}
        </Notice>
      )}
      <Button onClick={() => void logIn.run()} pending={logIn.pending} pendingText={t("continueAs.pending")} className="mt-6 w-full">
        {t("continueAs.submit", { name: accountName })}
      </Button>
      <Button tone="plain" onClick={leave} className="mt-2 w-full">
        {otherAccount === null ? t("continueAs.decline") : t("continueAs.stay", { name: otherAccount })}
      </Button>
    </div>
  );
}
