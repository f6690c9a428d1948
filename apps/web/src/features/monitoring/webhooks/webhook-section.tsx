import { useQuery } from "@tanstack/react-query";
import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import type { MonitoringMark, MonitoringRange, WebhookFigures } from "#contract/workspaces/monitoring/monitoring.ts";
import { number } from "../../../lib/formats.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { BarKeys, Bars } from "../../../ui/bars.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { Section } from "../../../ui/section.tsx";
import { Table } from "../../../ui/table.tsx";
import { monitoringQuery, webhooksQuery, type WebhooksSeen } from "../monitoring-query.ts";
import { pointsOf } from "../chart/plot.ts";
import { TimeChart } from "../chart/time-chart.tsx";
import { timeOf } from "../metric-plot.tsx";
import { useRange } from "../use-range.ts";
import { answeredPercent, everySpan, formatLatency } from "./webhook-figures.ts";
import { t } from "../words.ts";

/**
 * The gateway's counts of the workspace's webhooks in the displayed period; nothing if the engine's webhooks cannot be recognised. `below`
 * comes once their height is known.
 */
export function WebhookSection({ below }: { below: ReactNode }) {
  const [range] = useRange();
  const isTold = engineTraits[useFrontEndConfig().engine].webhooks;
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...webhooksQuery(range), enabled: isTold });
  const { data: monitoring } = useQuery({ ...monitoringQuery(range), enabled: false });
  if (!isTold) return below;
  return (
    <>
      <Section title={t("monitoring.webhooks.title")} lead={t("monitoring.webhooks.lead")}>
        <div className={classNames("transition-opacity", isPlaceholderData && "opacity-60")}>
          {data && data.total.calls > 0 ? (
            <Figures seen={data} range={range} marks={monitoring?.marks ?? []} />
          ) : data !== undefined ? (
            <div className="rounded-md bg-sunken">
              <EmptyState icon={<Webhook />} title={t("monitoring.webhooks.empty")}>
                {t("monitoring.webhooks.emptyText")}
              </EmptyState>
            </div>
          ) : error ? (
            <ErrorNotice error={error} title={t("monitoring.webhooks.failed")} onRetry={() => void refetch()} />
          ) : (
            <SkeletonGroup label={t("common.loading")}>
              <Skeleton className="h-[640px]" />
            </SkeletonGroup>
          )}
        </div>
      </Section>
      {data !== undefined || error ? below : null}
    </>
  );
}

function Figures({ seen, range, marks }: { seen: WebhooksSeen; range: MonitoringRange; marks: readonly MonitoringMark[] }) {
  const { total, points, from, to, spanMinutes } = seen;
  const time = (at: string) => timeOf(range, at);
  const spans = everySpan(seen);
  const answered = pointsOf(points, ({ p95Ms }) => p95Ms);
  const counts = { count: number.format(total.calls), failed: number.format(total.failed) };
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure name={t("monitoring.webhooks.calls")}>{number.format(total.calls)}</Figure>
        <Figure name={t("monitoring.webhooks.answered")}>{t("monitoring.webhooks.percent", { value: answeredPercent(total) })}</Figure>
        <Figure name={t("monitoring.webhooks.median")}>{latency(total.medianMs)}</Figure>
        <Figure name={t("monitoring.webhooks.p95")}>{latency(total.p95Ms)}</Figure>
      </dl>
      <p className="mt-2 min-h-10 text-[0.8125rem] text-ink-soft tabular-nums">
        {t("monitoring.webhooks.of", {
          errors: number.format(total.clientErrors),
          failed: counts.failed,
          waited: number.format(total.waited),
        })}
      </p>
      <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-sm font-medium">{t("monitoring.webhooks.calls")}</h3>
        <BarKeys plain={t("monitoring.webhooks.answered")} marked={t("monitoring.webhooks.failedCalls")} />
      </div>
      <Bars
        bars={spans.map(({ at, calls, failed }) => ({
          key: at,
          tall: calls,
          marked: failed,
          title: t("monitoring.webhooks.bar", { time: time(at), calls: number.format(calls), failed: number.format(failed) }),
        }))}
        label={t("monitoring.webhooks.label", counts)}
        from={time(from)}
        to={time(to)}
        formatCount={number.format}
      />
      {answered.length > 0 ? (
        <>
          <div className="mt-4 mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <h3 className="text-sm font-medium">{t("monitoring.webhooks.times")}</h3>
            <p className="text-[0.8125rem] text-ink-soft tabular-nums">
              {t("monitoring.webhooks.highest", { value: formatLatency(Math.max(...answered.map(({ value }) => value))) })}
            </p>
          </div>
          <TimeChart
            from={from}
            to={to}
            gapMs={spanMinutes * 90_000}
            points={answered}
            marks={marks}
            label={t("monitoring.webhooks.read")}
            textOf={formatLatency}
          />
        </>
      ) : null}
      <SpansTable spans={points} time={time} />
    </>
  );
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="rounded-lg bg-sunken px-3 py-2.5">
    <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
    <dd className="mt-0.5 text-lg font-semibold tabular-nums">{children}</dd>
  </div>
);

const latency = (ms: number | null): string => (ms === null ? "–" : formatLatency(ms));

interface SpansTableProps {
  /** Oldest first. */
  spans: readonly (WebhookFigures & { at: string })[];
  time: (at: string) => string;
}

function SpansTable({ spans, time }: SpansTableProps) {
  return (
    <details className="mt-4 text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-ink-soft">{t("monitoring.table")}</summary>
      <Table
        label={t("monitoring.webhooks.title")}
        columns={[
          { label: t("monitoring.time"), cell: ({ at }) => time(at) },
          { label: t("monitoring.webhooks.calls"), cell: ({ calls }) => number.format(calls), isNumber: true },
          { label: t("monitoring.webhooks.failedCalls"), cell: ({ failed }) => number.format(failed), isNumber: true },
          { label: t("monitoring.webhooks.median"), cell: ({ medianMs }) => latency(medianMs), isNumber: true },
          { label: t("monitoring.webhooks.p95"), cell: ({ p95Ms }) => latency(p95Ms), isNumber: true },
        ]}
        rows={spans.toReversed()}
        keyOf={({ at }) => at}
        className="mt-2"
      />
    </details>
  );
}
