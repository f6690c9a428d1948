/** The buttons of the possible actions, each with the look that the table of states gives it. */
import { ArrowRight, UserPlus } from "lucide-react";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink, type ButtonTone } from "../../../ui/button.tsx";
import { OpenWorkspaceButton } from "../open-workspace-button.tsx";
import { RestartButton } from "../restart-button.tsx";
import { places, type Act } from "../state/state-table.ts";
import type { ShownState } from "../state/use-shown-state.ts";
import { t } from "../words.ts";

/** The card's actions in this state, the primary one first; actions with a button elsewhere on the page are left out. */
export function CardActs({ state }: { state: ShownState }) {
  const acts = [...(state.primary ? [state.primary] : []), ...state.others].filter((act) => places[act] === "card");
  if (acts.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 max-sm:flex-col">
      {acts.map((act) => (
        <ActButton key={act} act={act} tone={act === state.primary ? "primary" : "plain"} />
      ))}
    </div>
  );
}

function ActButton({ act, tone }: { act: Act; tone: ButtonTone }) {
  switch (act) {
    case "open":
      return <OpenWorkspaceButton tone={tone} className="max-sm:w-full" />;
    case "restart":
      return <RestartButton tone={tone} className="max-sm:w-full" />;
    case "invite":
      return (
        <ButtonLink to={paths.inviteTeammate} tone={tone} className="max-sm:w-full">
          <UserPlus className="size-4" aria-hidden="true" />
          {t("workspace.invite")}
        </ButtonLink>
      );
    case "watch-launch":
      return <LinkAct to={paths.launching} label={t("workspace.watchLaunch")} tone={tone} />;
    case "logs":
      return <LinkAct to={paths.logs} label={t("workspace.lookAtLogs")} tone={tone} />;
    case "help":
      return <LinkAct to={paths.help} label={t("workspace.askHelp")} tone={tone} />;
    case "export":
      return <LinkAct to={paths.export} label={t("workspace.takeAway")} tone={tone} />;
    case "choose-plan":
      return <LinkAct to={paths.changePlan} label={t("workspace.choosePlan")} tone={tone} />;
    default:
      return null;
  }
}

const LinkAct = ({ to, label, tone }: { to: string; label: string; tone: ButtonTone }) => (
  <ButtonLink to={to} tone={tone} className="max-sm:w-full">
    {label}
    {tone === "primary" ? <ArrowRight className="size-4" aria-hidden="true" /> : null}
  </ButtonLink>
);
