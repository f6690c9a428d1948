import { MailCheck } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { redirect, useLocation, useNavigate } from "react-router";
import { InboxLink } from "../../features/inbox/inbox-link.tsx";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { BackButton, StepCard, StepFooter } from "../../features/sign-up/journey/step-card.tsx";
import { SentTo } from "../../features/sign-up/sent-to.tsx";
import { ResendConfirmation } from "../../features/sign-up/resend-confirmation.tsx";
import { usePrefetch } from "../../lib/first-view/when-idle.ts";
import { loadPage } from "../../lib/faults/load-page.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { knownUser, refreshUser, useMaybeUser } from "../../lib/session/session.ts";
import { t } from "../../features/sign-up/registration/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("verify.page") };

/** A separate chunk, since most visitors typed their address correctly. */
const loadChangeEmail = () => import("../../features/credentials/email-change/change-email-dialog.tsx");
const ChangeEmail = lazy(() => loadPage(async () => ({ default: (await loadChangeEmail()).ChangeEmailDialog })));

/** Often enough to feel immediate, seldom enough not to matter. */
const askEveryMs = 3_000;

/** Nothing to verify for a confirmed address. */
export const loader = () => (knownUser()?.confirmed ? redirect(nextPath(knownUser())) : null);

export function Component() {
  const user = useMaybeUser();
  const [isChanging, setIsChanging] = useState(false);
  const mailWasSent = Boolean((useLocation().state as { mailWasSent?: boolean } | null)?.mailWasSent);
  useConfirmationElsewhere();
  usePrefetch(loadChangeEmail);
  if (!user) return null;
  return (
    <StepCard
      footer={
        <StepFooter back={<BackButton to={paths.inviteTeammate} />}>
          <ResendConfirmation key={user.email} email={user.email} isFresh={mailWasSent} />
          <InboxLink email={user.email} />
        </StepFooter>
      }
    >
      <JourneySteps current="verify" className="mb-6" />
      <div className="mb-4 grid size-11 place-items-center rounded-full bg-accent-soft text-accent" aria-hidden="true">
        <MailCheck className="size-5" />
      </div>
      <h1 className="text-2xl font-semibold">{t("verify.title")}</h1>
      <p className="mt-1 text-ink-soft">{t("verify.lead")}</p>
      <SentTo email={user.email} onChange={() => setIsChanging(true)} />
      {isChanging ? (
        <Suspense fallback={null}>
          <ChangeEmail user={user} onClose={() => setIsChanging(false)} />
        </Suspense>
      ) : null}
      <p className="mt-4">{t("verify.next")}</p>
      <p className="mt-4 flex items-center gap-2.5 text-sm font-medium text-ink-soft">
        <span className="size-2 shrink-0 animate-pulse-soft rounded-full bg-accent motion-reduce:animate-none" aria-hidden="true" />
        {t("verify.goesOn")}
      </p>
      <p className="mt-6 border-t border-line pt-4 text-[0.8125rem] text-ink-soft">{t("verify.tips")}</p>
    </StepCard>
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
