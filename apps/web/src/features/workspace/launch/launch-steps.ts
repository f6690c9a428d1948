import type { Instance } from "#contract/workspaces/workspace.ts";
import { launchSteps } from "#contract/workspaces/workspace-values.ts";
import type { Step, StepState } from "../../../ui/progress/step-list.tsx";
import { t } from "./words.ts";
import { isOnline } from "../state/workspace-status.ts";
import { said } from "../../../words/sentences.ts";

/** The launch as a list of steps: done, in progress, and to come. */
export function listLaunchSteps(instance: Instance | null): Step[] {
  const at = instance?.progress ? launchSteps.indexOf(instance.progress.step) : 0;
  const isDone = isOnline(instance);
  const hasTrouble = Boolean(instance?.reason);
  const stateOf = (index: number): StepState => {
    if (isDone || index < at) return "done";
    if (index > at) return "waiting";
    return hasTrouble ? "failed" : "current";
  };
  return launchSteps.map((id, index) => ({
    id,
    label: t(`launching.steps.${id}.label`),
    note:
      index === at && instance?.progress?.label
        ? said(instance.progress.label)
        : stateOf(index) === "done"
          ? undefined
          : t(`launching.steps.${id}.note`),
    state: stateOf(index),
  }));
}
