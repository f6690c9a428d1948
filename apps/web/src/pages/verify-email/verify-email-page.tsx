import { MailCheck } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Link, redirect, useLocation, useNavigate } from "react-router";
import { InboxLink } from "../../features/inbox/inbox-link.tsx";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { ResendConfirmation } from "../../features/sign-up/resend-confirmation.tsx";
import { loadPage } from "../../lib/faults/chunk-reload.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { knownUser, refreshUser, useMaybeUser } from "../../lib/session/session.ts";
import { Card } from "../../ui/card.tsx";
import { t } from "../../features/sign-up/registration/words.ts";
import { t as signUpText } from "../../features/sign-up/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("verify.page") };

/** A separate chunk, since most visitors typed their address correctly. */
const ChangeEmail = lazy(() =>
  loadPage(async () => ({ default: (await import("../../features/credentials/email-change/change-email-dialog.tsx")).ChangeEmailDialog })),
);

/** Often enough to feel immediate, seldom enough not to matter. */
const askEveryMs = 3_000;

/** Nothing to verify for a confirmed address. */
export const loader = () => (knownUser()?.confirmed ? redirect(nextPath(knownUser())) : null);

export function Component() {
  const user = useMaybeUser();
  const [isChanging, setIsChanging] = useState(false);
  const mailWasSent = Boolean((useLocation().state as { mailWasSent?: boolean } | null)?.mailWasSent);
  useConfirmationElsewhere();
  if (!user) return null;
  return (
    <Card className="mx-auto max-w-2xl p-6 sm:p-8">
      <JourneySteps current="verify" className="mb-6" />
      <div className="mb-4 grid size-11 place-items-center rounded-full bg-accent-soft text-accent" aria-hidden="true">
        <MailCheck className="size-5" />
      </div>
      <h1 className="text-2xl font-semibold">{t("verify.title")}</h1>
      <p className="mt-2 [overflow-wrap:anywhere]">{t("verify.lead", { email: user.email })}</p>
      <p className="mt-2 text-sm">
        {t("verify.wrongAddress")}{" "}
        <button type="button" onClick={() => setIsChanging(true)} className="link font-medium">
          {t("verify.changeAddress")}
        </button>
      </p>
      {isChanging ? (
        <Suspense fallback={null}>
          <ChangeEmail user={user} onClose={() => setIsChanging(false)} />
        </Suspense>
      ) : null}
      <p className="mt-2 text-sm text-ink-soft">{t("verify.goesOn")}</p>
      <div className="mt-6 flex flex-wrap gap-2">
        <InboxLink email={user.email} />
        <ResendConfirmation key={user.email} email={user.email} isFresh={mailWasSent} />
        <Link to={paths.dashboard} className="link ml-auto self-center text-sm">
          {signUpText("journey.later")}
        </Link>
      </div>
      <p className="mt-6 border-t border-line pt-4 text-[0.8125rem] text-ink-soft">{t("verify.tips")}</p>
    </Card>
  );
}

/** Continues automatically once the address is confirmed in another window or on another device. */
function useConfirmationElsewhere(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      // A failure is not shown, because the next request follows in three seconds.
      const user = await refreshUser().catch(() => undefined);
      if (isOver || user === undefined) return;
      if (user === null) return navigate(paths.home);
      if (!user.confirmed) return;
      isOver = true;
      notify("success", t("verify.confirmed"));
      await navigate(nextPath(user));
    };
    const timer = setInterval(() => void ask(), askEveryMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [navigate]);
}
