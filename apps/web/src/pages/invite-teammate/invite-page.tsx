import { useEffect, useRef, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { InvitationList } from "../../features/invitations/invitation-list.tsx";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
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
  const [isSaved, setIsSaved] = useState(false);
  if (!user) return null;
  const { isSetup, onboarding } = user.account;
  const isNext = onboarding.next === "invite";
  const showResult = async () => {
    await refreshUser();
    setIsSaved(!isSetup);
  };
  return (
    <div className="mx-auto max-w-2xl space-y-5">
      <Card className="p-6 sm:p-8">
        {isSetup ? null : <JourneySteps current="invite" className="mb-6" />}
        <h1 className="text-2xl font-semibold">{t("invitations.title")}</h1>
        <p className="mt-1 mb-6 text-ink-soft">{t(isSetup ? "invitations.lead" : "invitations.leadBefore")}</p>
        <InviteForm
          onSaved={showResult}
          isStep={isNext}
          isSaved={isSaved}
          beside={
            isSaved ? null : (
              <ButtonLink to={isSetup ? paths.dashboard : nextPath(user)} tone="quiet">
                {t(isSetup ? "invitations.toDashboard" : "invitations.goOn")}
              </ButtonLink>
            )
          }
        />
        {isSaved ? <Saved to={nextPath(user)} /> : null}
      </Card>
      <InvitationList />
    </div>
  );
}

/** The outcome of the invitations, each of which is listed below, and the button to continue: it has the focus, so that Enter continues. */
function Saved({ to }: { to: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("a")?.focus(), []);
  return (
    <div ref={box} className="mt-5">
      <Notice tone="success" title={t("invitations.savedTitle")} action={<ButtonLink to={to}>{t("invitations.goOn")}</ButtonLink>}>
        {t("invitations.leadBefore")}
      </Notice>
    </div>
  );
}
