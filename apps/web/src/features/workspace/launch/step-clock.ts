/** How long each step of a launch takes, as this tab saw it: the service reports the step, not when it began. */
import { useEffect } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { launchSteps, type LaunchStep } from "#contract/workspaces/workspace-values.ts";
import { onSessionEnd } from "../../../lib/session/session.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { serviceNowMs } from "../../../lib/browser/use-now.ts";
import { isOnline } from "../state/workspace-status.ts";

export interface StepClock {
  /** Of the watched workspace: another one starts from the beginning. */
  life: number;
  /** The step seen last; null before the first one, "online" after the last. */
  at: LaunchStep | "online" | null;
  /** When a step was first seen, in milliseconds. One that was already running when the tab began to watch is not included. */
  began: Partial<Record<LaunchStep | "online", number>>;
}

/** The clock after this observation of the workspace. A step that begins again after a failure keeps its first beginning. */
export function watchStep(clock: StepClock | null, instance: Instance, nowMs: number): StepClock {
  const at = isOnline(instance) ? "online" : (instance.progress?.step ?? null);
  if (clock?.life !== instance.life) return { life: instance.life, at, began: {} };
  if (clock.at === at) return clock;
  return at === null || clock.began[at] !== undefined ? { ...clock, at } : { ...clock, at, began: { ...clock.began, [at]: nowMs } };
}

/** How long a step has taken until now, or took, in milliseconds; null if its beginning was not seen. */
export function stepMs({ began }: StepClock, step: LaunchStep, nowMs: number): number | null {
  const from = began[step];
  if (from === undefined) return null;
  const later = [...launchSteps.slice(launchSteps.indexOf(step) + 1), "online" as const].flatMap((name) => began[name] ?? []);
  return Math.max(0, Math.min(nowMs, ...later) - from);
}

/** Kept while the user visits another page. */
const clock = createStore<StepClock | null>(null);
// The first workspace of every account has the same number of life.
onSessionEnd(() => clock.set(null));

/** The clock of the workspace that is being launched; null until it was loaded. */
export function useStepClock(instance: Instance | null): StepClock | null {
  useEffect(() => {
    if (instance) clock.set(watchStep(clock.get(), instance, serviceNowMs()));
  }, [instance]);
  return useStore(clock);
}

const minuteMs = 60_000;

/** Whether the launch takes longer than usual: a download takes minutes, everything else together about one. */
export const isLate = (step: LaunchStep, waitedMs: number): boolean => waitedMs > (step === "install-engine" ? 5 : 2) * minuteMs;
