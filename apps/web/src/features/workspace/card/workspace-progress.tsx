import type { Instance } from "#contract/workspaces/workspace.ts";
import { ProgressBar } from "../../../ui/progress/progress-bar.tsx";
import { t } from "../words.ts";
import { launchPercent } from "../state/workspace-status.ts";
import { said } from "../../../words/sentences.ts";

/** The work in progress on the workspace and how far it is, as reported by the worker; without a percentage while that is unknown. */
export function WorkspaceProgress({ instance }: { instance: Instance }) {
  const percent = launchPercent(instance);
  const label = said(instance.progress?.label ?? "") || t("workspace.waiting");
  return (
    <div>
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{label}</span>
        <span className="font-semibold tabular-nums">{percent === null ? "" : t("watching.percent", { percent })}</span>
      </p>
      <ProgressBar value={percent} label={t("workspace.progress")} text={percent === null ? label : t("watching.percent", { percent })} />
    </div>
  );
}
