import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "../workspace/words.ts";

/** Reserves the space of figures with a chart from the start, so that nothing below moves when they appear. */
export const usageRoom = "min-h-[618px] sm:min-h-[515px]";

export const UsageLoading = () => (
  <SkeletonGroup label={t("workspace.usageLoading")} className={`${usageRoom} space-y-4 p-5 sm:px-6`}>
    <Skeleton className="h-4 w-2/5" />
    <Skeleton className="h-2 w-full" />
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
);

export const UsageNotLoaded = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <div className="p-5">
    <ErrorNotice error={error} title={t("workspace.usageNotLoaded")} onRetry={onRetry} />
  </div>
);
