import { ArrowRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { InvitationList } from "../../features/invitations/invitation-list.tsx";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
import { sayInvited } from "../../features/invitations/use-invite-form.ts";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { StepActions } from "../../features/sign-up/journey/step-actions.tsx";
import { BackButton, StepCard, StepFooter } from "../../features/sign-up/journey/step-card.tsx";
import { paths } from "../../lib/paths.ts";
import { freshUser, refreshUser, useMaybeUser } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Card } from "../../ui/card.tsx";
import { t } from "../../features/invitations/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("invitations.page") };

/** What surrounds the form depends on the progress of the sign-up. */
export const loader = async ({ request }: LoaderFunctionArgs) => void (await freshUser(request));

export function Component() {
  const user = useMaybeUser();
  if (!user) return null;
  return user.account.isSetup ? <InviteLater /> : <InviteStep user={user} />;
}

/** Of a workspace that exists. */
function InviteLater() {
  const showResult = async (count: number) => {
    sayInvited(count);
    await refreshUser();
  };
  return (
    <div className="mx-auto max-w-2xl space-y-5">
      <Card className="p-6 sm:p-8">
        <h1 className="text-2xl font-semibold">{t("invitations.title")}</h1>
        <p className="mt-1 mb-6 text-ink-soft">{t("invitations.lead")}</p>
        <InviteForm onSaved={showResult}>
          {(fields, submit) => (
            <>
              {fields}
              <div className="mt-5 flex flex-wrap gap-2">
                {submit}
                <ButtonLink to={paths.dashboard} tone="quiet">
                  {t("invitations.toDashboard")}
                </ButtonLink>
              </div>
            </>
          )}
        </InviteForm>
      </Card>
      <InvitationList />
    </div>
  );
}

/** As a step of the sign-up. The outcome is shown before it continues. */
function InviteStep({ user }: { user: User }) {
  const [isSaved, setIsSaved] = useState(false);
  const { next } = user.account.onboarding;
  const showResult = async () => {
    await refreshUser();
    setIsSaved(true);
  };
  return (
    <InviteForm onSaved={showResult} isSaved={isSaved}>
      {(fields, submit) => (
        <StepCard
          footer={
            next === "invite" ? (
              <StepActions step="invite" back={paths.apps}>
                {submit}
              </StepActions>
            ) : (
              <StepFooter back={<BackButton to={paths.apps} />}>
                {isSaved ? submit : null}
                <Continue to={nextPath(user)} isPrimary={isSaved} />
                {isSaved ? null : submit}
              </StepFooter>
            )
          }
        >
          <JourneySteps current="invite" className="mb-6" />
          <h1 className="text-2xl font-semibold">{t("invitations.title")}</h1>
          <p className="mt-1 mb-6 text-ink-soft">{t("invitations.leadBefore")}</p>
          {isSaved ? (
            <Notice tone="success" title={t("invitations.savedTitle")} className="mb-5">
              {t("invitations.savedText")}
            </Notice>
          ) : null}
          {fields}
          <InvitationList isStep />
        </StepCard>
      )}
    </InviteForm>
  );
}

/** Once people were invited, it has the focus, so that Enter continues. */
function Continue({ to, isPrimary }: { to: string; isPrimary: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isPrimary) box.current?.querySelector("a")?.focus();
  }, [isPrimary]);
  return (
    <div ref={box}>
      <ButtonLink to={to} tone={isPrimary ? "primary" : "quiet"} className="w-full">
        {t("invitations.goOn")}
        {isPrimary ? <ArrowRight className="size-4" aria-hidden="true" /> : null}
      </ButtonLink>
    </div>
  );
}
