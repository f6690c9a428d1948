/** The product's logo as a picture of the launch: the hull slides down its slipway with the progress, and floats at the end. */
import { classNames } from "../../ui/class-names.ts";

/** The hull's positions before the launch and at its end, above the water. */
const [top, bottom] = [
  { x: 96, y: 40 },
  { x: 408, y: 91 },
];
const slope = (Math.atan2(bottom.y - top.y, bottom.x - top.x) * 180) / Math.PI;
const yAt = (x: number) => top.y + ((x - top.x) * (bottom.y - top.y)) / (bottom.x - top.x);
const piers = Array.from({ length: 11 }, (_, index) => 48 + index * 40);
/** A line of waves over the whole width at height `y`; a wave is two of these numbers long. */
const waves = (y: number, shift: number) => `M${-shift} ${y}q14-5 28 0${"t28 0".repeat(26)}V140H${-shift}Z`;

interface SlipPictureProps {
  /** From 0 to 100; null while it is unknown. */
  percent: number | null;
  isAfloat?: boolean;
}

export function SlipPicture({ percent, isAfloat = false }: SlipPictureProps) {
  const x = top.x + ((bottom.x - top.x) * (percent ?? 0)) / 100;
  return (
    <svg viewBox="0 0 640 130" className="block aspect-[640/130] w-full bg-linear-to-br from-deep to-[#0d3a43]" aria-hidden="true">
      <g stroke="var(--color-deep-accent)" strokeLinecap="round">
        {piers.map((at) => (
          <path key={at} d={`M${at} ${yAt(at) + 4}V130`} strokeWidth="2" strokeOpacity="0.16" />
        ))}
        <path d={`M24 ${yAt(24) + 2}L492 ${yAt(492) + 2}`} strokeWidth="4" />
      </g>
      <g className={isAfloat ? "animate-afloat" : "transition-transform duration-1000 ease-out"} style={isAfloat ? undefined : place(x)}>
        <path
          d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z"
          fill="var(--color-deep-ink)"
          transform="scale(4.4) translate(-15.2 -17.3)"
        />
      </g>
      {/* In front of the hull, which lies in it. */}
      <g className={classNames("fill-deep-accent", isAfloat && "animate-swell")} fillOpacity="0.2">
        <path d={waves(106, 8)} />
        <path d={waves(114, 24)} />
      </g>
    </svg>
  );
}

const place = (x: number) => ({ transform: `translate(${x}px, ${yAt(x)}px) rotate(${slope}deg)` });
