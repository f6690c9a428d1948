import { classNames } from "../class-names.ts";

/** How far along something is, from 0 to 100; `null` while that is unknown. */
export function ProgressBar({ value, label, text }: { value: number | null; label: string; text: string }) {
  const percent = value === null ? null : Math.min(Math.max(value, 0), 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      aria-valuetext={text}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      <div
        style={percent === null ? undefined : { width: `${percent}%` }}
        className={classNames(
          "h-full rounded-full bg-accent transition-[width] duration-500 ease-out",
          percent === null && "w-1/3 animate-travel",
        )}
      />
    </div>
  );
}
