import { useId, type ReactNode } from "react";
import { ErrorNotice } from "./error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../progress/skeleton.tsx";
import { t } from "../../words/frame.ts";

export interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** What failed, where it did. */
  failed: string;
  /** Lines that the skeleton has. */
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** What a query answered; its shape while it is on its way, and what to do when it failed. */
export function Loaded<Data>({ query: { data, error, refetch }, failed, lines, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (error) {
    return <ErrorNotice error={error} title={failed} onRetry={() => void refetch()} />;
  }
  return <LoadingLines lines={lines} />;
}

/** The shape of what is on its way. */
export function LoadingLines({ lines = 2 }: { lines?: number | undefined }) {
  const id = useId();
  return (
    <SkeletonGroup label={t("common.loading")} className="space-y-3">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={`${id}-${line}`} className={line % 2 === 0 ? "h-5 w-3/4" : "h-5 w-1/2"} />
      ))}
    </SkeletonGroup>
  );
}
