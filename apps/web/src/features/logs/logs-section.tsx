import { Download, ScrollText, SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import { callUrl } from "../../lib/api/api-client.ts";
import { dateFormat, number } from "../../lib/formats.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { Section } from "../../ui/section.tsx";
import { LogBox } from "./log-box.tsx";
import { filterLines, levels, type LogFilter, type LogLevel, type Output } from "./log-lines.ts";
import { useOutput } from "./use-output.ts";
import { t } from "./words.ts";

const moment = dateFormat({ dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const noFilter: LogFilter = { level: null, search: "" };

/** The workspace's output as it is written: followed until the user scrolls up, filtered, searched, and downloaded. */
export function LogsSection() {
  const { output, pace, error, again } = useOutput();
  const [filter, setFilter] = useState(noFilter);
  /** What was shown when it was paused; null: it is not. */
  const [held, setHeld] = useState<Output | null>(null);
  const shown = held ?? output;
  const lines = useMemo(() => filterLines(shown?.lines ?? [], filter), [shown?.lines, filter]);
  const state = held ? "paused" : (pace ?? (output ? "offline" : null));
  return (
    <Section title={t("logs.title")} lead={t("logs.lead")} action={<State state={state} />} flush>
      {error ? <ErrorNotice error={error} title={t("logs.failed")} onRetry={again} className="m-5 sm:mx-6" /> : null}
      {shown && output ? (
        <>
          <Filters filter={filter} onChange={setFilter} />
          <Freshness output={output} />
          {lines.length > 0 ? (
            <>
              <LogBox
                lines={lines}
                isPaused={held !== null}
                newLines={held ? output.total - held.total : 0}
                onPause={() => setHeld(output)}
                onResume={() => setHeld(null)}
              />
              <p className="border-t border-line px-5 py-2.5 text-[0.8125rem] text-ink-soft tabular-nums sm:px-6">
                {lines.length === shown.lines.length
                  ? t("logs.count", { count: lines.length })
                  : t("logs.countOf", { shown: number.format(lines.length), all: number.format(shown.lines.length) })}
              </p>
            </>
          ) : shown.lines.length > 0 ? (
            <EmptyState
              icon={<SearchX />}
              title={t("logs.noMatch")}
              action={
                <Button tone="plain" onClick={() => setFilter(noFilter)}>
                  {t("logs.clear")}
                </Button>
              }
            >
              {t("logs.noMatchText")}
            </EmptyState>
          ) : output.readAt ? (
            <EmptyState icon={<ScrollText />} title={t("logs.empty")}>
              {t("logs.emptyText")}
            </EmptyState>
          ) : null}
        </>
      ) : error ? null : (
        <div className="p-5 sm:p-6">
          <SkeletonGroup label={t("common.loading")}>
            <Skeleton className="mb-4 h-16" />
            <Skeleton className="h-[60dvh]" />
          </SkeletonGroup>
        </div>
      )}
    </Section>
  );
}

const dots = { live: "bg-success", slow: "bg-success", paused: "bg-warning", offline: "bg-line-strong" } as const;

/** Empty until the first answer, so that a longer text is not replaced with a shorter one. */
function State({ state }: { state: keyof typeof dots | null }) {
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-medium">
      {state ? (
        <>
          <span className={classNames("size-2 rounded-full", dots[state])} aria-hidden="true" />
          {t(`logs.${state}`)}
        </>
      ) : null}
    </p>
  );
}

function Filters({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  return (
    <div className="flex flex-wrap items-end gap-3 px-5 py-4 sm:px-6">
      <TextField
        label={t("logs.search")}
        type="search"
        value={filter.search}
        onChange={({ target }) => onChange({ ...filter, search: target.value })}
        autoComplete="off"
        spellCheck={false}
        className="min-w-40 flex-1"
      />
      <SelectField
        label={t("logs.level")}
        value={filter.level ?? "all"}
        onChange={({ target }) => onChange({ ...filter, level: target.value === "all" ? null : (target.value as LogLevel) })}
        options={[{ value: "all", label: t("logs.levels.all") }, ...levels.map((value) => ({ value, label: t(`logs.levels.${value}`) }))]}
        className="min-w-40 max-sm:flex-1"
      />
      <a href={callUrl("downloadInstanceLogs")} download className={buttonClass("plain", "max-sm:w-full")}>
        <Download className="size-4" aria-hidden="true" />
        {t("logs.download")}
      </a>
    </div>
  );
}

/** Says so if the host did not answer. */
function Freshness({ output: { readAt, isCurrent } }: { output: Output }) {
  if (isCurrent) return null;
  const title = readAt ? t("logs.old", { time: moment.format(new Date(readAt)) }) : t("logs.never");
  return <Notice tone="warning" title={title} className="mx-5 mb-4 sm:mx-6" />;
}
