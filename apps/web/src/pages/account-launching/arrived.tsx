import { Rocket, UserPlus, Workflow } from "lucide-react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { WorkspaceAddress } from "../../features/workspace/address.tsx";
import { StepCard, StepFooter } from "../../features/sign-up/journey/step-card.tsx";
import { templateOpened, wantedTemplateId } from "../../features/sign-up/open-template.ts";
import { OpenWorkspaceButton } from "../../features/workspace/open-workspace-button.tsx";
import { t } from "../../features/workspace/launch/words.ts";
import { t as workspaceText } from "../../features/workspace/words.ts";
import { paths } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { templatePath } from "../../lib/session/template-path.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { SlipPicture } from "./slip-picture.tsx";
import { timeOf } from "./under-way.tsx";

/** The end of a launch: the address, the button that opens it, and what to do first. `elapsedMs` is null if it was too short to mention. */
export function Arrived({ instance, elapsedMs }: { instance: Instance; elapsedMs: number | null }) {
  return (
    <StepCard
      picture={<SlipPicture percent={100} isAfloat />}
      footer={
        <StepFooter>
          <WaysOn instance={instance} />
        </StepFooter>
      }
    >
      <div className="animate-appear">
        <h1 className="text-2xl font-semibold tracking-tight">{workspaceText("watching.online")}</h1>
        <p className="mt-1 text-ink-soft">
          {elapsedMs === null ? null : `${t("launching.took", { time: timeOf(elapsedMs) })} `}
          {t("launching.onlineLead")}
        </p>
        <div className="mt-5 rounded-lg border border-line bg-sunken px-3.5 py-3">
          <p className="text-[0.8125rem] text-ink-soft">{workspaceText("workspace.address")}</p>
          <WorkspaceAddress url={instance.address} className="mt-0.5 justify-between font-medium" />
        </div>
        <h2 className="mt-7 border-t border-line pt-5 text-sm font-semibold">{t("launching.firstTitle")}</h2>
        <ul className="mt-3 space-y-3 text-sm">
          {firsts.map(({ name, icon: Icon }) => (
            <li key={name} className="flex gap-3">
              <Icon className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
              <p>
                <span className="font-medium">{t(`launching.first.${name}.title`)}</span>
                <span className="block text-ink-soft">{t(`launching.first.${name}.text`)}</span>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </StepCard>
  );
}

const firsts = [
  { name: "build", icon: Workflow },
  { name: "publish", icon: Rocket },
  { name: "invite", icon: UserPlus },
] as const;

/** The template of the sign-up link opens at the end, if there was one. */
function WaysOn({ instance }: { instance: Instance }) {
  const templateId = wantedTemplateId(useMaybeUser());
  const path = templatePath(templateId, instance);
  return (
    <>
      <ButtonLink to={paths.dashboard} tone="quiet">
        {t("launching.toDashboard")}
      </ButtonLink>
      <OpenWorkspaceButton
        {...(path ? { path, label: workspaceText("workspace.openTemplate"), onOpened: () => void templateOpened(templateId!) } : {})}
      />
    </>
  );
}
