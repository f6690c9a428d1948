import { useId } from "react";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "./words.ts";
import { forecastExecutions, leftUsage, usageLevel } from "./forecast.ts";
import { formatCount, formatDay } from "./format-usage.ts";

const colours = { fine: "bg-accent", nearly: "bg-warning", reached: "bg-danger" } as const;

/** Executions and active workflows compared with the plan's limits, and the expected executions. */
export function UsageMeters({ usage }: { usage: UsedLimits }) {
  const { timeframe, limits } = usage;
  const from = formatDay(timeframe.startsAt);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <UsageMeter name={t("usage.executions")} used={usage.executions} limit={limits.executions}>
        <p>{timeframe.endsAt ? t("usage.until", { from, to: formatDay(timeframe.endsAt) }) : t("usage.since", { from })}</p>
        <Forecast usage={usage} />
      </UsageMeter>
      <UsageMeter name={t("usage.workflows")} used={usage.activeWorkflows} limit={limits.activeWorkflows} />
    </div>
  );
}

function Forecast({ usage }: { usage: UsedLimits }) {
  const forecast = forecastExecutions(usage, useNow(60_000));
  const limit = usage.limits.executions;
  if (forecast === null || usage.executions === 0 || usageLevel(usage.executions, limit) === "reached") return null;
  const isOver = limit >= 0 && forecast > limit;
  const values = { count: formatCount(forecast), date: formatDay(usage.timeframe.endsAt!) };
  return <p className={isOver ? "font-medium text-warning" : undefined}>{t(isOver ? "usage.forecastOver" : "usage.forecast", values)}</p>;
}

interface UsageMeterProps {
  name: string;
  used: number;
  /** -1: unlimited. */
  limit: number;
  children?: React.ReactNode;
}

function UsageMeter({ name, used, limit, children }: UsageMeterProps) {
  const text =
    limit < 0
      ? t("usage.unlimited", { used: formatCount(used) })
      : t("usage.ofLimit", { used: formatCount(used), limit: formatCount(limit) });
  const left = leftUsage(used, limit);
  const labelId = useId();
  const max = Math.max(limit, 1);
  const value = Math.min(used, Math.max(limit, 0));
  return (
    <div className="min-w-0">
      <div role="meter" aria-labelledby={labelId} aria-valuemin={0} aria-valuemax={max} aria-valuenow={value} aria-valuetext={text}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span id={labelId} className="text-sm font-medium">
            {name}
          </span>
          <span className="text-sm tabular-nums">{text}</span>
        </div>
        <div className="mt-2 h-2 overflow-hidden rounded-full bg-line">
          <div
            style={{ width: `${(100 * value) / max}%` }}
            className={classNames("h-full rounded-full", colours[usageLevel(used, limit)])}
          />
        </div>
      </div>
      <div className="mt-2 space-y-0.5 text-[0.8125rem] text-ink-soft">
        {left >= 0 ? <p className="tabular-nums">{t("usage.left", { count: formatCount(left) })}</p> : null}
        {children}
      </div>
    </div>
  );
}
