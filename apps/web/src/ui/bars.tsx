/** Counts over equal spans as bars, with a part of each marked at the bottom. */

export interface Bar {
  key: string;
  /** Its height, and that of the marked part. */
  tall: number;
  marked: number;
  /** The tooltip. */
  title: string;
}

interface BarsProps {
  bars: readonly Bar[];
  /** All of it in one sentence, for screen readers. */
  label: string;
  /** The beginning and the end of the axis. */
  from: string;
  to: string;
  formatCount: (count: number) => string;
}

/** In units of the drawing, which is stretched to the available width. */
const size = { span: 20, bar: 14, height: 120 } as const;

export function Bars({ bars, label, from, to, formatCount }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ tall }) => tall));
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
          viewBox={`0 0 ${bars.length * size.span} ${size.height}`}
          preserveAspectRatio="none"
          className="h-32 w-full min-w-0 border-y border-line"
        >
          {bars.map((bar, index) => (
            <OneBar key={bar.key} bar={bar} x={index * size.span} most={most} />
          ))}
        </svg>
      </div>
      <figcaption className="mt-1 flex justify-between pl-6 text-xs text-ink-soft" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}

function OneBar({ bar: { tall, marked, title }, x, most }: { bar: Bar; x: number; most: number }) {
  // A single one among thousands is still visible.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * size.height));
  const left = x + (size.span - size.bar) / 2;
  return (
    <g>
      <title>{title}</title>
      <rect x={x} y={0} width={size.span} height={size.height} fill="transparent" />
      <rect x={left} y={size.height - heightOf(tall)} width={size.bar} height={heightOf(tall)} className="fill-accent" />
      <rect x={left} y={size.height - heightOf(marked)} width={size.bar} height={heightOf(marked)} className="fill-danger" />
    </g>
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
