import { ChevronRight, type LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "../../ui/class-names.ts";
import { Skeleton } from "../../ui/progress/skeleton.tsx";

interface TileFrameProps {
  to: string;
  icon: LucideIcon;
  name: string;
  /** Beside the name. */
  aside?: string;
  children: ReactNode;
  className?: string;
}

/** A summary of another place as a link to it; what it says describes the link. */
export function TileFrame({ to, icon: Icon, name, aside, children, className }: TileFrameProps) {
  const id = useId();
  return (
    <li className={className}>
      <Link
        to={to}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-aside ${id}-value`}
        className="group block h-full rounded-xl border border-line bg-surface px-5 py-4 shadow-card sm:px-6 hover:border-line-strong"
      >
        <span className="flex items-center gap-2 text-sm text-ink-soft">
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          <span id={`${id}-name`}>{name}</span>
          <span id={`${id}-aside`} className="ml-auto text-[0.8125rem]">
            {aside}
          </span>
          <ChevronRight className="size-4 shrink-0 opacity-50 transition-opacity group-hover:opacity-100" aria-hidden="true" />
        </span>
        <span id={`${id}-value`} className="block">
          {children}
        </span>
      </Link>
    </li>
  );
}

interface TileProps {
  to: string;
  icon: LucideIcon;
  name: string;
  /** Undefined while it is being loaded. */
  value: string | undefined;
  note: ReactNode;
}

/** A tile with one value and a line about it. */
export function Tile({ value, note, ...frame }: TileProps) {
  return (
    <TileFrame {...frame}>
      <TileValue value={value} className="mt-2 block min-h-6" />
      <span className="mt-0.5 block min-h-5 text-[0.8125rem] text-ink-soft">{note}</span>
    </TileFrame>
  );
}

/** The value, or its place while it is being loaded. */
export function TileValue({ value, className }: { value: string | undefined; className?: string }) {
  return <span className={classNames("font-semibold tabular-nums", className)}>{value ?? <Skeleton className="h-5 w-28" />}</span>;
}
