import { Progress } from "@base-ui/react/progress";

/** How far along something is, from 0 to 100; `null` while that is unknown. */
export function ProgressBar({ value, label, text }: { value: number | null; label: string; text: string }) {
  return (
    <Progress.Root value={value} aria-label={label} getAriaValueText={() => text}>
      <Progress.Track className="h-2 overflow-hidden rounded-full bg-line">
        <Progress.Indicator className="h-full rounded-full bg-accent transition-[width] duration-500 ease-out data-indeterminate:w-1/3 data-indeterminate:animate-travel" />
      </Progress.Track>
    </Progress.Root>
  );
}
