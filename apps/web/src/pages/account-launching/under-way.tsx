/** The launch in progress: how far it is, how long each step takes, and what to expect. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import type { LaunchStep } from "#contract/workspaces/workspace-values.ts";
import { StepCard } from "../../features/sign-up/journey/step-card.tsx";
import { listLaunchSteps } from "../../features/workspace/launch/launch-steps.ts";
import { t } from "../../features/workspace/launch/words.ts";
import { launchPercent } from "../../features/workspace/state/workspace-status.ts";
import { isLate, stepMs, type StepClock } from "../../features/workspace/launch/step-clock.ts";
import { isOnline } from "../../features/workspace/state/workspace-status.ts";
import { t as workspaceText } from "../../features/workspace/words.ts";
import { workspaceUrlQuery } from "../../features/workspace/workspace-queries.ts";
import { serviceNowMs, useNow } from "../../lib/browser/use-now.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { classNames } from "../../ui/class-names.ts";
import { Notice } from "../../ui/notices/notice.tsx";
import { ProgressBar } from "../../ui/progress/progress-bar.tsx";
import { StepList } from "../../ui/progress/step-list.tsx";
import { SlipPicture } from "./slip-picture.tsx";

interface UnderWayProps {
  instance: Instance | null;
  clock: StepClock | null;
  elapsedMs: number;
}

/** Like a stopwatch: 0:07, 12:30. */
export function timeOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Milliseconds since the page was opened, until `isOver`. A running clock shows that the page is alive, even while a download reports
 * nothing.
 */
export function useElapsedMs(isOver: boolean): number {
  const [sinceMs] = useState(serviceNowMs);
  const nowMs = useNow(1000);
  const [endMs, setEndMs] = useState<number | null>(null);
  if (isOver && endMs === null) setEndMs(nowMs);
  return Math.max(0, (endMs ?? nowMs) - sinceMs);
}

/** Without percentage and steps in the first moment, because they would only flash. Its bar takes the place of that of the sign-up. */
export function LaunchCard({ instance, clock, elapsedMs, isCalm }: UnderWayProps & { isCalm: boolean }) {
  const nowMs = useNow(1000);
  const percent = isCalm ? null : launchPercent(instance);
  const text = percent === null ? t("common.loading") : workspaceText("watching.percent", { percent });
  const steps = listLaunchSteps(instance);
  const current = steps.find(({ state }) => state === "current" || state === "failed");
  const timed = steps.map(({ id, label, state }) => {
    const ms = clock && stepMs(clock, id as LaunchStep, nowMs);
    return { id, label, state, ...(ms !== null && state !== "waiting" ? { aside: timeOf(ms) } : {}) };
  });
  return (
    <StepCard picture={<SlipPicture percent={percent} />}>
      <h1 className="text-2xl font-semibold tracking-tight">{t("launching.title")}</h1>
      <p className="mt-1 text-ink-soft">{t("launching.lead")}</p>
      <div className="mt-6">
        <div className="mb-2 flex items-baseline justify-between gap-4 text-sm">
          <span className="text-ink-soft tabular-nums">{t("launching.elapsed", { time: timeOf(elapsedMs) })}</span>
          <span className="font-semibold tabular-nums">{percent === null ? "" : text}</span>
        </div>
        <ProgressBar value={percent} label={t("launching.progress")} text={text} />
        {/* Two lines of space, whatever the step says. */}
        <p className="mt-2 line-clamp-2 min-h-10 text-[0.8125rem] text-ink-soft">{isCalm ? "" : current?.note}</p>
      </div>
      <div className={classNames("mt-5", isCalm && "invisible")}>
        <StepList
          steps={timed}
          label={t("launching.stepsLabel")}
          stateWords={{
            done: t("launching.state.done"),
            current: t("launching.state.current"),
            waiting: t("launching.state.waiting"),
            failed: t("launching.state.failed"),
          }}
        />
      </div>
    </StepCard>
  );
}

/** How long the current step has taken, in milliseconds, if that is longer than usual; otherwise null. */
export function lateBy(instance: Instance | null, clock: StepClock | null, elapsedMs: number): number | null {
  const step = instance?.progress?.step;
  if (!step || isOnline(instance)) return null;
  const waitedMs = (clock ? stepMs(clock, step, serviceNowMs()) : null) ?? elapsedMs;
  return isLate(step, waitedMs) ? waitedMs : null;
}

export const LateNotice = ({ step, waitedMs }: { step: LaunchStep; waitedMs: number }) => (
  <Notice tone="info" title={t("launching.lateTitle")}>
    {t("launching.lateText", { step: t(`launching.steps.${step}.label`), time: timeOf(waitedMs) })}
  </Notice>
);

export function WhatToExpect({ className }: { className?: string }) {
  const { data: url } = useQuery(workspaceUrlQuery(useMaybeUser()?.username ?? ""));
  return (
    <section className={classNames("px-1 text-sm text-deep-soft", className)}>
      <h2 className="font-semibold text-deep-ink">{t("launching.expectTitle")}</h2>
      <ul className="mt-1.5 list-disc space-y-1 pl-5">
        <li>{t("launching.expectUsual")}</li>
        <li>{t("launching.expectFirst")}</li>
        {/* Its line is reserved before the address is known. */}
        <li className={classNames("[overflow-wrap:anywhere]", url ? undefined : "invisible")}>
          {t("launching.expectAddress", { address: url ? new URL(url).host : "" })}
        </li>
      </ul>
    </section>
  );
}
