/** Counts over equal spans as bars, with a part of each marked at the bottom. */
import { classNames } from "./class-names.ts";

export interface Bar {
  key: string;
  /** Its height, and that of the marked part. */
  tall: number;
  marked: number;
  /** Its text on hover. */
  title: string;
}

interface BarsProps {
  bars: readonly Bar[];
  /** All bars in a sentence, for screen readers. */
  label: string;
  /** The beginning and the end of the axis. */
  from: string;
  to: string;
  formatCount: (count: number) => string;
}

export function Bars({ bars, label, from, to, formatCount }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ tall }) => tall));
  return (
    <figure className="mt-3">
      <div className="flex gap-2">
        <p className="flex flex-col justify-between text-right text-xs text-ink-soft tabular-nums" aria-hidden="true">
          <span>{formatCount(most)}</span>
          <span>0</span>
        </p>
        <div role="img" aria-label={label} className="flex h-32 min-w-0 flex-1 border-y border-line">
          {bars.map((bar, index) => (
            <OneBar key={bar.key} bar={bar} most={most} side={sides[Math.floor((3 * index) / bars.length)]!} />
          ))}
        </div>
      </div>
      <figcaption className="mt-1 flex justify-between pl-6 text-xs text-ink-soft" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}

/** The side to which a bar's text may grow, so that it stays on the page. */
const sides = ["left-0", "left-1/2 -translate-x-1/2", "right-0"];

function OneBar({ bar: { tall, marked, title }, most, side }: { bar: Bar; most: number; side: string }) {
  // A single one among thousands is still visible.
  const heightOf = (count: number) => (count === 0 ? 0 : `max(2px, ${(100 * count) / most}%)`);
  return (
    <div className="group relative flex-1 hover:bg-sunken">
      <div style={{ height: heightOf(tall) }} className="absolute inset-x-[15%] bottom-0 rounded-t-xs bg-accent" />
      <div style={{ height: heightOf(marked) }} className="absolute inset-x-[15%] bottom-0 bg-danger" />
      <p
        className={classNames(
          "pointer-events-none absolute bottom-full z-10 mb-1.5 hidden rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-canvas group-hover:block",
          side,
        )}
      >
        {title}
      </p>
    </div>
  );
}

/** What the two colours mean. */
export function BarKeys({ plain, marked }: { plain: string; marked: string }) {
  return (
    <p className="flex gap-4 text-[0.8125rem] text-ink-soft">
      <Key className="bg-accent" name={plain} />
      <Key className="bg-danger" name={marked} />
    </p>
  );
}

const Key = ({ className, name }: { className: string; name: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`size-2.5 rounded-[3px] ${className}`} aria-hidden="true" />
    {name}
  </span>
);
