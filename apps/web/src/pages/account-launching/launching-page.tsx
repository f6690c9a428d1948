import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { useCalmMoment } from "../../features/workspace/launch/calm-moment.ts";
import { launchPercent, listLaunchSteps } from "../../features/workspace/launch/launch-steps.ts";
import { templateOpened, wantedTemplateId } from "../../features/sign-up/template-redirect.ts";
import { OpenWorkspaceButton } from "../../features/workspace/open-workspace-button.tsx";
import { useLiveWorkspace } from "../../features/workspace/watch/use-live-workspace.ts";
import { WatchTroubleNotice } from "../../features/workspace/watch/watch-trouble-notice.tsx";
import { workspaceUrlQuery } from "../../features/workspace/workspace-queries.ts";
import { isOnline, statusName } from "../../features/workspace/state/workspace-status.ts";
import { paths } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { templatePath } from "../../lib/session/template-path.ts";
import { serviceNowMs, useNow } from "../../lib/browser/use-now.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { ProgressBar } from "../../ui/progress/progress-bar.tsx";
import { StepList } from "../../ui/progress/step-list.tsx";
import { t } from "../../features/workspace/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("launching.page") };

export function Component() {
  const { data: instance = null, error, trouble, watchAgain, refetch } = useLiveWorkspace();
  const isReady = isOnline(instance);
  const isCalm = useCalmMoment(isReady, Boolean(instance?.reason) || trouble !== null || error !== null);
  const askAgain = () => {
    watchAgain();
    void refetch();
  };
  return (
    <div className="mx-auto max-w-xl">
      <JourneySteps current={isReady ? "arrived" : "launch"} className="mb-6" />
      <Card className="p-6 sm:p-8">
        {isReady ? <CircleCheck className="mb-4 size-10 text-success" aria-hidden="true" /> : null}
        <h1 className="text-2xl font-semibold">{isReady ? t("launching.online") : t("launching.title")}</h1>
        <p className="mt-1 text-ink-soft">{isReady ? t("launching.onlineLead") : t("launching.lead")}</p>
        {isReady ? <Ready instance={instance} /> : <LaunchProgress instance={instance} isCalm={isCalm} />}
        {!isReady && instance ? <Trouble instance={instance} /> : null}
        <WatchTroubleNotice trouble={trouble} error={error} onAskAgain={askAgain} className="mt-5" />
        {isCalm ? null : (
          <div className="mt-7">
            <StepList steps={listLaunchSteps(instance)} label={t("launching.stepsLabel")} stateWords={stepStateWords()} />
          </div>
        )}
      </Card>
      {isReady || isCalm ? null : <WhatToExpect />}
    </div>
  );
}

const stepStateWords = () => ({
  done: t("launching.state.done"),
  current: t("launching.state.current"),
  waiting: t("launching.state.waiting"),
  failed: t("launching.state.failed"),
});

/** In the first moment without a percentage: it would jump. */
function LaunchProgress({ instance, isCalm }: { instance: Instance | null; isCalm: boolean }) {
  const percent = isCalm ? null : launchPercent(instance);
  const text = percent === null ? t("common.loading") : t("launching.percent", { percent });
  return (
    <div className="mt-6">
      <div className="mb-2 flex items-baseline justify-between gap-4 text-sm">
        <ElapsedTime />
        <span className="font-semibold tabular-nums">{percent === null ? "" : text}</span>
      </div>
      <ProgressBar value={percent} label={t("launching.progress")} text={text} />
    </div>
  );
}

/** A running clock shows that the page is alive, even while a download reports nothing. */
function ElapsedTime() {
  const [sinceMs] = useState(serviceNowMs);
  const seconds = Math.max(0, Math.floor((useNow(1000) - sinceMs) / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return <span className="text-ink-soft tabular-nums">{t("launching.elapsed", { time })}</span>;
}

/** The template of the sign-up link opens at the end of the way, if there was one. */
function Ready({ instance }: { instance: Instance | null }) {
  const templateId = wantedTemplateId(useMaybeUser());
  const path = templatePath(templateId, instance);
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      <OpenWorkspaceButton
        className="max-sm:w-full"
        {...(path ? { path, label: t("workspace.openTemplate"), onOpened: () => void templateOpened(templateId!) } : {})}
      />
      <ButtonLink to={paths.dashboard} tone="plain" className="max-sm:w-full">
        {t("launching.toDashboard")}
      </ButtonLink>
    </div>
  );
}

/** What went wrong, in the service's words, and what to do. */
function Trouble({ instance }: { instance: Instance }) {
  if (!instance.reason) return null;
  const isStopped = statusName(instance) === "stopped";
  return (
    <Notice tone="warning" title={isStopped ? t("launching.stoppedTitle") : t("launching.wrongTitle")} className="mt-5">
      <p>{instance.reason}</p>
      {isStopped ? null : <p className="mt-1">{t("launching.wrongNext")}</p>}
    </Notice>
  );
}

function WhatToExpect() {
  const { data: url } = useQuery(workspaceUrlQuery(useMaybeUser()?.username ?? ""));
  return (
    <section className="mt-5 px-1 text-sm text-ink-soft">
      <h2 className="font-semibold text-ink">{t("launching.expectTitle")}</h2>
      <ul className="mt-1.5 list-disc space-y-1 pl-5">
        <li>{t("launching.expectUsual")}</li>
        <li>{t("launching.expectFirst")}</li>
        {url ? <li className="[overflow-wrap:anywhere]">{t("launching.expectAddress", { address: new URL(url).host })}</li> : null}
      </ul>
    </section>
  );
}
