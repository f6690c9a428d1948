import type { Instance } from "#contract/workspaces/workspace.ts";
import { useCalmMoment } from "../../features/workspace/launch/calm-moment.ts";
import { useStepClock } from "../../features/workspace/launch/step-clock.ts";
import { useLiveWorkspace } from "../../features/workspace/watch/use-live-workspace.ts";
import { WatchTroubleNotice } from "../../features/workspace/watch/watch-trouble-notice.tsx";
import { isOnline, statusName } from "../../features/workspace/state/workspace-status.ts";
import { classNames } from "../../ui/class-names.ts";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "../../features/workspace/launch/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { Arrived } from "./arrived.tsx";
import { lateBy, LateNotice, LaunchCard, useElapsedMs, WhatToExpect } from "./under-way.tsx";
import { said } from "../../words/sentences.ts";

export const handle: PageHandle = { title: () => t("launching.page") };

/**
 * Everything that the launch may show has its space reserved from the start, so that nothing moves when it appears: the page's two views,
 * in progress and finished, are stacked, and so are the hints and the problems.
 */
export function Component() {
  const { data: instance = null, error, trouble, watchAgain, refetch } = useLiveWorkspace();
  const isReady = isOnline(instance);
  const isCalm = useCalmMoment(isReady, Boolean(instance?.reason) || trouble !== null || error !== null);
  const elapsedMs = useElapsedMs(isReady);
  const clock = useStepClock(instance);
  const hasTrouble = Boolean(instance?.reason) || trouble !== null || error !== null;
  const lateMs = hasTrouble ? null : lateBy(instance, clock, elapsedMs);
  const askAgain = () => {
    watchAgain();
    void refetch();
  };
  return (
    <div className="mx-auto max-w-3xl">
      <div className="grid *:col-start-1 *:row-start-1">
        <div className={classNames(isReady && "invisible")} inert={isReady}>
          <LaunchCard instance={instance} clock={clock} elapsedMs={elapsedMs} isCalm={isCalm} />
          <div className="mt-5 grid *:col-start-1 *:row-start-1">
            <WhatToExpect className={classNames((isCalm || hasTrouble || lateMs !== null) && "invisible")} />
            {isReady ? null : (
              <div className="space-y-3">
                {instance ? <Trouble instance={instance} /> : null}
                <WatchTroubleNotice trouble={trouble} error={error} onAskAgain={askAgain} />
                {lateMs === null ? null : <LateNotice step={instance!.progress!.step} waitedMs={lateMs} />}
              </div>
            )}
          </div>
        </div>
        {/* Until the launch is ready it lets clicks through, because it covers the card and the buttons of its notices. */}
        <div aria-live="polite" className={classNames(!isReady && "pointer-events-none")}>
          {isReady && instance ? <Arrived instance={instance} elapsedMs={isCalm ? null : elapsedMs} /> : null}
        </div>
      </div>
    </div>
  );
}

/** What went wrong, in the service's words, and what to do. */
function Trouble({ instance }: { instance: Instance }) {
  if (!instance.reason) return null;
  const isStopped = statusName(instance) === "stopped";
  return (
    <Notice tone="warning" title={isStopped ? t("launching.stoppedTitle") : t("launching.wrongTitle")}>
      <p>{said(instance.reason)}</p>
      {isStopped ? null : <p className="mt-1">{t("launching.wrongNext")}</p>}
    </Notice>
  );
}
