import { Card } from "../../../ui/card.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { t } from "../words.ts";

/** As high as the card of a running workspace, on phones and desktops. */
export function WorkspaceSkeleton() {
  return (
    <Card className="h-[604px] overflow-hidden sm:h-[261px]">
      <SkeletonGroup label={t("common.loading")}>
        <div className="flex justify-between p-6">
          <div className="space-y-2.5">
            <Skeleton className="h-6 w-56" />
            <Skeleton className="h-4 w-40" />
          </div>
          <Skeleton className="h-7 w-20 rounded-full" />
        </div>
        <div className="grid gap-4 border-y border-line p-6 sm:grid-cols-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
        <div className="flex gap-2 p-6">
          <Skeleton className="h-10 w-40" />
          <Skeleton className="h-10 w-28" />
        </div>
      </SkeletonGroup>
    </Card>
  );
}
