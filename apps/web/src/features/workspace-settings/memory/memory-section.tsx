import { queryOptions, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { callApi } from "../../../lib/api/api-client.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { t } from "../words.ts";
import { RestartButton } from "../../workspace/restart-button.tsx";
import { hourlyPeaks, memoryPaths, summarise, type Sample } from "./memory-plot.ts";

/** A sample comes each minute. */
const memoryQuery = queryOptions({
  queryKey: ["workspace", "memory"],
  queryFn: ({ signal }) => callApi("getInstanceMemory", { signal }),
  refetchInterval: 60_000,
});

/** How much memory the workspace used over the last day, as a line, a sentence and a table. */
export function MemorySection() {
  const { data, error, refetch } = useQuery(memoryQuery);
  return (
    <Section title={t("settings.memory.title")} lead={t("settings.memory.lead")}>
      {data && data.plannedMb !== data.limitMb ? (
        <Notice
          tone="info"
          title={t("settings.memory.planned", { planned: number.format(data.plannedMb), limit: number.format(data.limitMb) })}
          action={<RestartButton />}
          className="mb-4"
        />
      ) : null}
      {data ? (
        <Memory {...data} />
      ) : error ? (
        <ErrorNotice error={error} title={t("settings.memory.failed")} onRetry={() => void refetch()} />
      ) : (
        <SkeletonGroup label={t("common.loading")}>
          <Skeleton className="h-40" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

const number = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const timeOf = (at: string): string => clock.format(new Date(at));

function Memory({ limitMb, samples }: { limitMb: number; samples: Sample[] }) {
  const summary = summarise(samples);
  if (!summary) {
    return (
      <EmptyState icon={<Activity />} title={t("settings.memory.empty")}>
        {t("settings.memory.emptyText")}
      </EmptyState>
    );
  }
  const { nowMb, peak } = summary;
  const words = t("settings.memory.summary", { now: nowMb, peak: peak.memoryMb, time: timeOf(peak.at), limit: limitMb });
  return (
    <>
      <p className="mb-3 text-sm tabular-nums">{words}</p>
      <Chart samples={samples} limitMb={limitMb} label={t("settings.memory.chart", { summary: words })} />
      <details className="mt-3 text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-ink-soft">{t("settings.memory.table")}</summary>
        <table className="mt-2 w-full max-w-xs text-left tabular-nums">
          <thead>
            <tr className="text-ink-soft">
              <th className="py-1 font-medium">{t("settings.memory.time")}</th>
              <th className="py-1 font-medium">{t("settings.memory.highest")}</th>
            </tr>
          </thead>
          <tbody>
            {hourlyPeaks(samples).map(({ hour, memoryMb }) => (
              <tr key={hour} className="border-t border-line">
                <td className="py-1">{timeOf(hour)}</td>
                <td className="py-1">{t("settings.memory.megabytes", { value: memoryMb })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const size = { width: 600, height: 140 } as const;
const dayMs = 86_400_000;

/** The limit is drawn as a line, a little below the top. */
function Chart({ samples, limitMb, label }: { samples: Sample[]; limitMb: number; label: string }) {
  const toMs = useNow(60_000);
  const fromMs = toMs - dayMs;
  const topMb = Math.max(limitMb, ...samples.map(({ memoryMb }) => memoryMb)) * 1.1;
  const limitY = size.height - (limitMb / topMb) * size.height;
  const hours = [0, 6, 12, 18, 24];
  return (
    <div>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={label}
        preserveAspectRatio="none"
        className="h-40 w-full rounded-md bg-sunken"
      >
        <line
          x1="0"
          x2={size.width}
          y1={limitY}
          y2={limitY}
          strokeDasharray="4 4"
          className="stroke-danger"
          vectorEffect="non-scaling-stroke"
        />
        {hours.slice(1, -1).map((hour) => (
          <line
            key={hour}
            x1={(hour / 24) * size.width}
            x2={(hour / 24) * size.width}
            y1="0"
            y2={size.height}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {memoryPaths(samples, { ...size, fromMs, toMs, topMb }).map((path) => (
          <path
            key={path.slice(0, 40)}
            d={path}
            fill="none"
            strokeWidth="2"
            strokeLinejoin="round"
            strokeLinecap="round"
            className="stroke-accent"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-soft tabular-nums">
        {hours.map((hour) => (
          <span key={hour} className={hour % 12 === 0 ? undefined : "max-sm:hidden"}>
            {clock.format(new Date(fromMs + (hour / 24) * dayMs))}
          </span>
        ))}
      </div>
      <p aria-hidden="true" className="mt-1 flex items-center gap-2 text-xs text-ink-soft">
        <span className="inline-block w-6 border-t-2 border-dashed border-danger" />
        {t("settings.memory.limit", { limit: limitMb })}
      </p>
    </div>
  );
}
