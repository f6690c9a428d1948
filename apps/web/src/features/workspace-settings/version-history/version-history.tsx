import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { dateFormat } from "../../../lib/formats.ts";
import { said } from "../../../words/sentences.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { TimeText } from "../../../ui/marks/time-text.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { Section } from "../../../ui/section.tsx";
import { t as workspaceText } from "../../workspace/words.ts";
import { historyEntries, type HistoryEntry, type Ran, type Tried } from "./history-entries.ts";
import { t } from "./words.ts";

/** An update ends a moment after the workspace is online, and nothing else changes then. That of a stopped one waits for its next start. */
const underWayMs = 2000;

/** Reloaded whenever the wanted or the running version changes, because an update then made progress. */
const historyQuery = ({ life, versionName, runningVersion, status }: Instance) =>
  infiniteQueryOptions({
    queryKey: ["workspace", "version-history", life, versionName, runningVersion ?? "", status],
    queryFn: ({ signal, pageParam }) => callApi("getVersionHistory", { query: pageParam ? { before: pageParam } : {}, signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.updates[0]?.state === "running" && status !== instanceStatus.stopped ? underWayMs : false,
  });

/** Which version ran from when to when, who changed it, and which updates came to nothing. */
export function VersionHistory({ instance }: { instance: Instance }) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(historyQuery(instance));
  const entries = data && historyEntries(data.pages);
  const engine = workspaceText(`workspace.engines.${instance.engine}`);
  return (
    <Section title={t("history.title")} lead={t("history.lead")} flush>
      {entries ? (
        <ol className="px-5 py-5 sm:px-6">
          {entries.map((entry, place) => (
            <Entry
              key={`${entry.kind} ${timeOf(entry)}`}
              entry={entry}
              engine={engine}
              isOldest={place === entries.length - 1 && !hasNextPage}
            />
          ))}
        </ol>
      ) : error ? null : (
        <SkeletonGroup label={t("common.loading")} className="space-y-3 p-5 sm:px-6">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
        </SkeletonGroup>
      )}
      {error ? <ErrorNotice error={error} title={t("history.failed")} onRetry={() => void refetch()} className="m-5 sm:mx-6" /> : null}
      {entries?.length === 1 && entries[0]!.kind === "ran" ? (
        <p className="-mt-2 px-5 pb-5 text-sm text-ink-soft sm:px-6">{t("history.none")}</p>
      ) : null}
      {hasNextPage ? (
        <div className="border-t border-line p-2">
          <Button
            tone="quiet"
            pending={isFetchingNextPage}
            pendingText={t("common.loading")}
            onClick={() => void fetchNextPage()}
            className="w-full"
          >
            {t("history.more")}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

const timeOf = (entry: HistoryEntry): string => (entry.kind === "ran" ? entry.from : entry.at);

/** A point on a line through time. */
function Entry({ entry, engine, isOldest }: { entry: HistoryEntry; engine: string; isOldest: boolean }) {
  return (
    <li className="relative flex gap-4 pb-6 last:pb-0">
      {isOldest ? null : <span className="absolute top-4 -bottom-1.5 left-[5px] w-0.5 bg-line" aria-hidden="true" />}
      <span className={classNames("relative mt-1 size-3 shrink-0 rounded-full border-2", dotOf(entry))} aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        {entry.kind === "ran" ? <RanText ran={entry} engine={engine} /> : <TriedText tried={entry} />}
      </div>
    </li>
  );
}

const dotOf = (entry: HistoryEntry): string => {
  if (entry.kind === "ran") return entry.until === null ? "border-success bg-success" : "border-line-strong bg-surface";
  return entry.state === "running" ? "border-accent bg-accent animate-pulse-soft" : "border-danger bg-surface";
};

const Line = ({ title, mark, time }: { title: string; mark: ReactNode; time: ReactNode }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium tabular-nums">
      {title}
      {mark}
    </p>
    <p className="text-ink-soft tabular-nums">{time}</p>
  </div>
);

function RanText({ ran: { version, from, until, how, wasRolledBack }, engine }: { ran: Ran; engine: string }) {
  const days = until === null ? 0 : Math.floor((Date.parse(until) - Date.parse(from)) / 86_400_000);
  return (
    <>
      <Line
        title={`${engine} ${version}`}
        mark={
          until === null ? (
            <StateMark tone="good">{t("history.current")}</StateMark>
          ) : wasRolledBack ? (
            <StateMark tone="waiting">{t("history.left")}</StateMark>
          ) : null
        }
        time={
          until === null ? (
            <Time at={from} says={(day) => t("history.since", { day })} />
          ) : (
            <>
              <Time at={from} /> – <Time at={until} />
              {days > 0 ? ` · ${t("history.days", { count: days })}` : null}
            </>
          )
        }
      />
      <p className="mt-0.5 text-ink-soft">{t(`history.ran.${how}`)}</p>
    </>
  );
}

function TriedText({ tried: { version, from, at, state, how, reason } }: { tried: Tried }) {
  return (
    <>
      <Line
        title={t(how === "roll-back" ? "history.toBack" : "history.to", { version })}
        mark={<StateMark tone={state === "running" ? "accent" : "bad"}>{t(`history.states.${state}`)}</StateMark>}
        time={<Time at={at} />}
      />
      <p className="mt-0.5 text-ink-soft">{t(`history.tried.${how}`)}</p>
      {reason ? <p className="mt-0.5 [overflow-wrap:anywhere]">{said(reason)}</p> : null}
      {state === "running" ? null : <p className="mt-0.5 text-ink-soft">{t("history.stayed", { version: from })}</p>}
    </>
  );
}

const day = dateFormat({ dateStyle: "medium" });

function Time({ at, says = (text) => text }: { at: string; says?: (day: string) => string }) {
  return <TimeText at={at}>{says(day.format(new Date(at)))}</TimeText>;
}
