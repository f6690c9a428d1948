import { useState, type KeyboardEvent, type PointerEvent } from "react";
import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import { dateFormat } from "../../lib/formats.ts";
import { markLooks } from "./mark-list.tsx";
import { linePaths, nearest, type Point } from "./plot.ts";
import { t } from "./words.ts";

const size = { width: 600, height: 180 } as const;
const clock = dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = dateFormat({ day: "numeric", month: "short" });
const moment = dateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const ticks = [0, 0.25, 0.5, 0.75, 1];

interface TimeChartProps {
  from: string;
  to: string;
  /** Null: there is none. */
  limit: number | null;
  /** Longer pauses between points break the line. */
  gapMs: number;
  /** At least one. */
  points: readonly Point[];
  marks: readonly MonitoringMark[];
  /** What is read, for screen readers. */
  label: string;
  /** A value with its unit. */
  textOf: (value: number) => string;
}

/**
 * A line with its limit, if there is one, and below it a lane of marks on the same axis. Pointer and arrow keys read single points; to a screen
 * reader it is a slider over them, and a list and a table beside it say the same.
 */
export function TimeChart({ from, to, limit, gapMs, points, marks, label, textOf }: TimeChartProps) {
  const [place, setPlace] = useState<number | null>(null);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const top = Math.max(limit ?? 0, ...points.map(({ value }) => value)) * 1.1;
  /** 0 to 1 along the axis; an hour that began before it is drawn at its beginning. */
  const along = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - fromMs) / (toMs - fromMs)));
  const shown = points[Math.min(place ?? points.length - 1, points.length - 1)]!;
  const words = t("monitoring.point", { time: moment.format(new Date(shown.at)), value: textOf(shown.value) });
  const readPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPlace(nearest(points, fromMs + ((clientX - left) / width) * (toMs - fromMs)));
  };
  const readKey = (event: KeyboardEvent) => {
    const last = points.length - 1;
    const now = Math.min(place ?? last, last);
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 12, PageDown: now + 12, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setPlace(Math.max(0, Math.min(last, next)));
  };
  const paths = linePaths(points, { ...size, fromMs, toMs, top, gapMs });
  const isRead = place !== null;
  return (
    <div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={Math.min(place ?? points.length - 1, points.length - 1)}
        aria-valuetext={words}
        onKeyDown={readKey}
        onPointerMove={readPointer}
        onPointerLeave={() => setPlace(null)}
        onBlur={() => setPlace(null)}
        className="relative h-48 touch-pan-y rounded-md bg-sunken"
      >
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true" className="size-full rounded-md">
          {ticks.slice(1, -1).map((tick) => (
            <line
              key={tick}
              x1={tick * size.width}
              x2={tick * size.width}
              y1="0"
              y2={size.height}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {limit === null ? null : (
            <line
              x1="0"
              x2={size.width}
              y1={size.height * (1 - limit / top)}
              y2={size.height * (1 - limit / top)}
              strokeDasharray="4 4"
              className="stroke-danger"
              vectorEffect="non-scaling-stroke"
            />
          )}
          {paths.map((path) => (
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
        {isRead ? (
          <>
            <span aria-hidden="true" className="absolute inset-y-0 w-px bg-ink-soft" style={{ left: `${along(shown.at) * 100}%` }} />
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-2 rounded-md border border-line bg-raised px-2 py-1 text-xs font-medium whitespace-nowrap tabular-nums shadow-pop"
              style={
                along(shown.at) < 0.5
                  ? { left: `calc(${along(shown.at) * 100}% + 8px)` }
                  : { right: `calc(${(1 - along(shown.at)) * 100}% + 8px)` }
              }
            >
              {words}
            </span>
          </>
        ) : null}
      </div>
      <div aria-hidden="true" className="relative mt-1.5 h-6 rounded-md bg-sunken">
        {marks.map(({ at, kind, message }) => {
          const { icon: Icon, colour } = markLooks[kind];
          return (
            <span
              key={`${at} ${kind} ${message}`}
              title={`${moment.format(new Date(at))} · ${message ?? t(`monitoring.marks.kinds.${kind}`)}`}
              className={`absolute top-1 -translate-x-1/2 ${colour}`}
              style={{ left: `clamp(0.6rem, ${along(at) * 100}%, calc(100% - 0.6rem))` }}
            >
              <Icon className="size-4" />
            </span>
          );
        })}
      </div>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-soft tabular-nums">
        {ticks.map((tick) => (
          <span key={tick} className={tick === 0 || tick === 0.5 || tick === 1 ? undefined : "max-sm:hidden"}>
            {(toMs - fromMs > 2 * 86_400_000 ? day : clock).format(new Date(fromMs + tick * (toMs - fromMs)))}
          </span>
        ))}
      </div>
      {limit === null ? null : (
        <p aria-hidden="true" className="mt-1 flex items-center gap-2 text-xs text-ink-soft">
          <span className="inline-block w-6 border-t-2 border-dashed border-danger" />
          {t("monitoring.limit", { limit: textOf(limit) })}
        </p>
      )}
    </div>
  );
}
