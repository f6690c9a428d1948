import type { UsedLimits } from "#contract/workspaces/usage.ts";
import { t } from "./words.ts";
import { formatCount, formatDate } from "./format-usage.ts";

type Day = UsedLimits["history"][number];

/** In units of the drawing, which is stretched to the width there is. */
const size = { day: 20, bar: 14, height: 120 } as const;

/** Executions a day, failed ones at the foot of each bar; also as a table, for screen readers. */
export function UsageChart({ history }: { history: Day[] }) {
  const total = history.reduce((sum, { executions }) => sum + executions, 0);
  const failed = history.reduce((sum, day) => sum + day.failed, 0);
  return (
    <section aria-labelledby="usage-chart-title">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="usage-chart-title" className="text-sm font-medium">
          {t("usage.chart.title")}
        </h3>
        <p className="flex gap-4 text-[0.8125rem] text-ink-soft">
          <Key className="bg-accent" name={t("usage.chart.succeeded")} />
          <Key className="bg-danger" name={t("usage.chart.failed")} />
        </p>
      </div>
      {total + failed === 0 ? (
        <p className="mt-3 rounded-lg bg-sunken px-4 py-6 text-center text-sm text-ink-soft">{t("usage.chart.empty")}</p>
      ) : (
        <>
          <Bars history={history} label={t("usage.chart.label", { count: formatCount(total), failed: formatCount(failed) })} />
          <DaysTable history={history} />
        </>
      )}
    </section>
  );
}

const Key = ({ className, name }: { className: string; name: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`size-2.5 rounded-[3px] ${className}`} aria-hidden="true" />
    {name}
  </span>
);

/** A crash counts on the day its execution began, and may stand alone there. */
const tallOf = ({ executions, failed }: Day): number => Math.max(executions, failed);

function Bars({ history, label }: { history: Day[]; label: string }) {
  const most = Math.max(1, ...history.map(tallOf));
  const width = history.length * size.day;
  return (
    <figure className="mt-3">
      <div className="flex gap-2">
        <p className="flex flex-col justify-between text-right text-xs text-ink-soft tabular-nums" aria-hidden="true">
          <span>{formatCount(most)}</span>
          <span>0</span>
        </p>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${width} ${size.height}`}
          preserveAspectRatio="none"
          className="h-32 w-full min-w-0 border-y border-line"
        >
          {history.map((day, index) => (
            <Bar key={day.date} day={day} x={index * size.day} most={most} />
          ))}
        </svg>
      </div>
      <figcaption className="mt-1 flex justify-between pl-6 text-xs text-ink-soft" aria-hidden="true">
        <span>{formatDate(history[0]!.date)}</span>
        <span>{formatDate(history.at(-1)!.date)}</span>
      </figcaption>
    </figure>
  );
}

function Bar({ day, x, most }: { day: Day; x: number; most: number }) {
  // A single one among thousands is still seen.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * size.height));
  const tall = heightOf(tallOf(day));
  const failed = heightOf(day.failed);
  const left = x + (size.day - size.bar) / 2;
  return (
    <g>
      <title>
        {t("usage.chart.bar", { date: formatDate(day.date), executions: formatCount(day.executions), failed: formatCount(day.failed) })}
      </title>
      <rect x={x} y={0} width={size.day} height={size.height} fill="transparent" />
      <rect x={left} y={size.height - tall} width={size.bar} height={tall} className="fill-accent" />
      <rect x={left} y={size.height - failed} width={size.bar} height={failed} className="fill-danger" />
    </g>
  );
}

function DaysTable({ history }: { history: Day[] }) {
  const busy = history.filter((day) => tallOf(day) > 0).toReversed();
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit cursor-pointer rounded text-ink-soft hover:text-ink">{t("usage.chart.table")}</summary>
      <table className="mt-2 w-full text-left tabular-nums">
        <thead className="text-[0.8125rem] text-ink-soft">
          <tr>
            <th scope="col" className="py-1.5 pr-3 font-medium">
              {t("usage.chart.date")}
            </th>
            <th scope="col" className="py-1.5 pr-3 text-right font-medium">
              {t("usage.executions")}
            </th>
            <th scope="col" className="py-1.5 text-right font-medium">
              {t("usage.chart.failed")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {busy.map(({ date, executions, failed }) => (
            <tr key={date}>
              <th scope="row" className="py-1.5 pr-3 font-normal">
                {formatDate(date)}
              </th>
              <td className="py-1.5 pr-3 text-right">{formatCount(executions)}</td>
              <td className="py-1.5 text-right">{formatCount(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
