import { useId, type ReactNode } from "react";
import { ErrorNotice } from "./error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../progress/skeleton.tsx";
import { t } from "../../words/frame.ts";

export interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** What failed, if it did. */
  failed: string;
  /** The skeleton's number of lines. */
  lines?: number;
  /** Another skeleton. */
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** A query's data; its skeleton while it is loading, and what to do if it failed. */
export function Loaded<Data>({ query: { data, error, refetch }, failed, lines, waiting, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (error) {
    return <ErrorNotice error={error} title={failed} onRetry={() => void refetch()} />;
  }
  return waiting ?? <LoadingLines lines={lines} />;
}

/** The skeleton of content that is loading. */
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
