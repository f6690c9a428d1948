import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "./words.ts";
import { InvitationRow } from "./invitation-row.tsx";
import { invitationsQuery } from "./invitations-query.ts";

/** Everyone who was invited, the state of each invitation, and its actions. As part of a step of the sign-up, only if there are any. */
export function InvitationList({ isStep = false }: { isStep?: boolean }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(invitationsQuery);
  const rows = data?.invitations.map((invitation) => <InvitationRow key={invitation.id} invitation={invitation} asOfMs={dataUpdatedAt} />);
  if (isStep) {
    return rows && rows.length > 0 ? (
      <section aria-label={t("invitations.list")} className="mt-6 overflow-hidden rounded-lg border border-line">
        <h2 className="border-b border-line bg-sunken px-5 py-2.5 text-sm font-semibold sm:px-6">{t("invitations.list")}</h2>
        <ul className="divide-y divide-line">{rows}</ul>
      </section>
    ) : null;
  }
  return (
    <Card label={t("invitations.list")} className="overflow-hidden">
      <h2 className="px-5 pt-5 text-lg font-semibold sm:px-6">{t("invitations.list")}</h2>
      {rows ? (
        rows.length > 0 ? (
          <ul className="mt-3 divide-y divide-line border-t border-line">{rows}</ul>
        ) : (
          <EmptyState icon={<Users />} title={t("invitations.empty")}>
            {t("invitations.emptyText")}
          </EmptyState>
        )
      ) : error ? (
        <div className="p-5 sm:px-6">
          <ErrorNotice error={error} title={t("invitations.loadFailed")} onRetry={() => void refetch()} />
        </div>
      ) : (
        <SkeletonGroup label={t("common.loading")}>
          <div className="space-y-4 p-5 sm:px-6">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        </SkeletonGroup>
      )}
    </Card>
  );
}
