import { useNavigate } from "react-router";
import { InvitationList } from "../../features/invitations/invitation-list.tsx";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
import { nextPath } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { paths } from "../../lib/paths.ts";
import { refreshUser, useMaybeUser } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { t } from "../../features/invitations/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("invitations.page") };

/** What surrounds the form depends on how far the sign-up is. */
export const loader = async () => void (await refreshUser());

export function Component() {
  const user = useMaybeUser();
  const navigate = useNavigate();
  if (!user) return null;
  const { isSetup, onboarding } = user.account;
  const isNext = onboarding.next === "invite";
  const goOn = async () => {
    const refreshed = await refreshUser();
    if (isNext) await navigate(nextPath(refreshed));
  };
  return (
    <div className="mx-auto max-w-2xl space-y-5">
      {isSetup ? null : <JourneySteps current="invite" />}
      <Card className="p-5 sm:p-6">
        <h1 className="text-2xl font-semibold">{t("invitations.title")}</h1>
        <p className="mt-1 mb-6 text-ink-soft">{t(isSetup ? "invitations.lead" : "invitations.leadBefore")}</p>
        <InviteForm
          onSaved={goOn}
          isStep={isNext}
          beside={
            <ButtonLink to={isSetup ? paths.dashboard : nextPath(user)} tone="quiet">
              {t(isSetup ? "invitations.toDashboard" : "invitations.goOn")}
            </ButtonLink>
          }
        />
      </Card>
      <InvitationList />
    </div>
  );
}
