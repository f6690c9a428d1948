import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Member } from "#contract/accounts/member.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "./words.ts";
import { OldAnswerNotice } from "../workspace/old-answer-notice.tsx";
import { OpenWorkspaceButton } from "../workspace/open-workspace-button.tsx";
import { WakingNote } from "../workspace/waking-note.tsx";

export const membersQuery = queryOptions({ queryKey: ["members"], queryFn: ({ signal }) => callApi("listMembers", { signal }) });

/** Who is in the workspace, and with which role: as the workspace itself says it. Roles are changed there. */
export function MemberList() {
  const { data, error, refetch, isFetching } = useQuery(membersQuery);
  const { engine } = useFrontEndConfig();
  const isOnline = useMaybeUser()?.account.instance?.status === 1;
  return (
    <Section
      title={t("manageArea.members.people")}
      lead={t(`manageArea.members.peopleLead.${engine}`)}
      flush
      action={isOnline ? <OpenWorkspaceButton tone="plain" path="/settings/users" label={t("manageArea.members.roles")} /> : undefined}
    >
      {data ? (
        <>
          {data.isCurrent ? null : (
            <OldAnswerNotice
              askedAt={data.askedAt}
              old={(time) => t("manageArea.members.old", { time })}
              never={t("manageArea.members.never")}
              pending={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          <ul className="divide-y divide-line">
            {data.members.map((member) => (
              <MemberRow key={member.id} member={member} />
            ))}
          </ul>
          <p className="border-t border-line bg-sunken px-5 py-3 text-[0.8125rem] text-ink-soft sm:px-6">
            {data.usersLimit < 0 ? t("manageArea.members.noLimit") : t("manageArea.members.limit", { count: data.usersLimit })}
          </p>
        </>
      ) : error ? (
        <div className="p-5 sm:px-6">
          <ErrorNotice error={error} title={t("manageArea.members.failed")} onRetry={() => void refetch()} />
        </div>
      ) : (
        <SkeletonGroup label={t("common.loading")} className="space-y-3 p-5 sm:px-6">
          <WakingNote />
          <Skeleton className="h-10" />
          <Skeleton className="h-[23px]" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

function MemberRow({ member: { email, name, role, hasJoined } }: { member: Member }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 sm:px-6">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">{name ?? email}</p>
        {name ? <p className="text-sm [overflow-wrap:anywhere] text-ink-soft">{email}</p> : null}
      </div>
      <p className="flex flex-wrap gap-2 text-xs font-semibold">
        {hasJoined ? null : <span className="rounded-full bg-accent-soft px-2 py-0.5 text-accent">{t("manageArea.members.invited")}</span>}
        <span className="rounded-full bg-sunken px-2 py-0.5 text-ink-soft">{t(`manageArea.members.role.${role}`)}</span>
      </p>
    </li>
  );
}
