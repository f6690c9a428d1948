import type { KeyboardEvent, PointerEvent } from "react";
import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import { dateFormat } from "../../../lib/formats.ts";
import { classNames } from "../../../ui/class-names.ts";
import { t } from "../words.ts";
import { alongAxis, areaPath, linePaths, nearest, type Point, type TimeSpan } from "./plot.ts";

const size = { width: 600, height: 180 } as const;
const moment = dateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

interface TimePlotProps extends TimeSpan {
  /** Null: no limit. */
  limit: number | null;
  /** Longer pauses between points break the line. */
  gapMs: number;
  /** At least one. */
  points: readonly Point[];
  /** Drawn as vertical lines; their signs are in the lane below. */
  marks: readonly MonitoringMark[];
  /** The name of the value, for screen readers. */
  label: string;
  /** A value with its unit. */
  textOf: (value: number) => string;
  /** The selected moment; null: none. Plots on one axis share it. */
  readMs: number | null;
  onRead: (ms: number | null) => void;
  className?: string;
}

/**
 * A line with its limit, if there is one. Pointer and arrow keys read single points; to a screen reader it is a slider over them, and a
 * list and a table beside it say the same.
 */
export function TimePlot(props: TimePlotProps) {
  const { fromMs, toMs, points, label, textOf, readMs, onRead, className } = props;
  const last = points.length - 1;
  const place = readMs === null ? last : nearest(points, readMs);
  const shown = points[place]!;
  const words = t("monitoring.point", { time: moment.format(new Date(shown.at)), value: textOf(shown.value) });
  const readPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onRead(fromMs + ((clientX - left) / width) * (toMs - fromMs));
  };
  const readKey = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: place - 1, ArrowRight: place + 1, PageUp: place - 12, PageDown: place + 12, Home: 0, End: last };
    const next = steps[event.key as keyof typeof steps] as number | undefined;
    if (next === undefined) return;
    event.preventDefault();
    onRead(Date.parse(points[Math.max(0, Math.min(last, next))]!.at));
  };
  const at = alongAxis(props, Date.parse(shown.at));
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={place}
      aria-valuetext={words}
      onKeyDown={readKey}
      onPointerMove={readPointer}
      onPointerLeave={() => onRead(null)}
      onBlur={() => onRead(null)}
      className={classNames("relative touch-pan-y rounded-md bg-sunken", className)}
    >
      <Drawing {...props} />
      {readMs === null ? null : (
        <>
          <span aria-hidden="true" className="absolute inset-y-0 w-px bg-ink-soft" style={{ left: `${at * 100}%` }} />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-1.5 z-10 rounded-md border border-line bg-raised px-2 py-1 text-xs font-medium whitespace-nowrap tabular-nums shadow-pop"
            style={at < 0.5 ? { left: `calc(${at * 100}% + 8px)` } : { right: `calc(${(1 - at) * 100}% + 8px)` }}
          >
            {words}
          </span>
        </>
      )}
    </div>
  );
}

const ticks = [0.25, 0.5, 0.75];

function Drawing({ fromMs, toMs, limit, gapMs, points, marks, textOf }: TimePlotProps) {
  const top = Math.max(limit ?? 0, ...points.map(({ value }) => value)) * 1.15 || 1;
  const paths = linePaths(points, { ...size, fromMs, toMs, top, gapMs });
  const across = (x: number) => ({ x1: x, x2: x, y1: 0, y2: size.height, vectorEffect: "non-scaling-stroke" as const });
  const limitY = limit === null ? 0 : 1 - limit / top;
  return (
    <>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true" className="size-full rounded-md">
        {ticks.map((tick) => (
          <line key={tick} {...across(tick * size.width)} className="stroke-line" />
        ))}
        {marks.map(({ at, kind, message }) => (
          <line
            key={`${at} ${kind} ${message}`}
            {...across(alongAxis({ fromMs, toMs }, Date.parse(at)) * size.width)}
            className={kind === "stop" ? "stroke-danger" : "stroke-line-strong"}
            strokeOpacity="0.6"
          />
        ))}
        {limit === null ? null : (
          <line
            x1="0"
            x2={size.width}
            y1={size.height * limitY}
            y2={size.height * limitY}
            strokeDasharray="4 4"
            className="stroke-danger"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {paths.map((path) => (
          <path key={`area ${path.slice(0, 40)}`} d={areaPath(path, size.height)} className="fill-accent" fillOpacity="0.12" />
        ))}
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
      {limit === null ? null : (
        <span
          aria-hidden="true"
          className="absolute right-1.5 rounded-sm bg-sunken px-1 text-xs/4 text-ink-soft tabular-nums"
          style={{ top: `calc(${limitY * 100}% + 3px)` }}
        >
          {t("monitoring.limit", { limit: textOf(limit) })}
        </span>
      )}
    </>
  );
}
