import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";

/** As high as the card of the newest backup. */
export const NewestBackupLoading = ({ label }: { label: string }) => (
  <SkeletonGroup label={label}>
    <Skeleton className="h-[195px] sm:h-[179px]" />
  </SkeletonGroup>
);
