import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { BarKeys, Bars, type Bar } from "../../../ui/bars.tsx";
import { t } from "../words.ts";
import { formatCount, formatDate } from "../format-usage.ts";
import { Table } from "../../../ui/table.tsx";

type Day = UsedLimits["history"][number];

/** Executions a day, failed ones at the bottom of each bar; also as a table, for screen readers. */
export function UsageChart({ history }: { history: Day[] }) {
  const total = history.reduce((sum, { executions }) => sum + executions, 0);
  const failed = history.reduce((sum, day) => sum + day.failed, 0);
  return (
    <section aria-labelledby="usage-chart-title" className={total + failed === 0 ? "flex grow flex-col" : undefined}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="usage-chart-title" className="text-sm font-medium">
          {t("usage.chart.title")}
        </h3>
        <BarKeys plain={t("usage.chart.succeeded")} marked={t("usage.chart.failed")} />
      </div>
      {total + failed === 0 ? (
        // At least as high as the bars with their days and the line of their table.
        <div className="mt-3 grid min-h-45 grow place-content-center rounded-lg bg-sunken px-4 text-center text-sm">
          <p className="font-medium">{t("usage.chart.empty")}</p>
          <p className="text-ink-soft">{t("usage.chart.emptyText")}</p>
        </div>
      ) : (
        <>
          <Bars
            bars={history.map(barOf)}
            label={t("usage.chart.label", { count: formatCount(total), failed: formatCount(failed) })}
            from={formatDate(history[0]!.date)}
            to={formatDate(history.at(-1)!.date)}
            formatCount={formatCount}
          />
          <DaysTable history={history} />
        </>
      )}
    </section>
  );
}

/** A crash counts on the day its execution began, and may be the only entry of that day. */
const tallOf = ({ executions, failed }: Day): number => Math.max(executions, failed);

const barOf = (day: Day): Bar => ({
  key: day.date,
  tall: tallOf(day),
  marked: day.failed,
  title: t("usage.chart.bar", { date: formatDate(day.date), executions: formatCount(day.executions), failed: formatCount(day.failed) }),
});

function DaysTable({ history }: { history: Day[] }) {
  const busy = history.filter((day) => tallOf(day) > 0).toReversed();
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit cursor-pointer rounded text-ink-soft hover:text-ink">{t("usage.chart.table")}</summary>
      <Table
        label={t("usage.chart.title")}
        columns={[
          { label: t("usage.chart.date"), cell: ({ date }) => formatDate(date) },
          { label: t("usage.executions"), cell: ({ executions }) => formatCount(executions), isNumber: true },
          { label: t("usage.chart.failed"), cell: ({ failed }) => formatCount(failed), isNumber: true },
        ]}
        rows={busy}
        keyOf={({ date }) => date}
        fits
        className="mt-2"
      />
    </details>
  );
}
