import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Member } from "#contract/accounts/member.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "./words.ts";
import { t as invitationText } from "../invitations/words.ts";
import { InvitationRow } from "../invitations/invitation-row.tsx";
import { invitationsQuery } from "../invitations/invitations-query.ts";
import { PersonText } from "../invitations/person-text.tsx";
import { OldAnswerNotice } from "../workspace/old-answer-notice.tsx";
import { OpenWorkspaceButton } from "../workspace/open-workspace-button.tsx";
import { WakingNote } from "../workspace/waking-note.tsx";
import { membersQuery } from "./members-query.ts";
import { peopleOf } from "./people.ts";

/**
 * A row for each person in the workspace, with their role, and for each invited person, with the invitation's state. Roles are changed in
 * the workspace.
 */
export function MemberList() {
  const { data, error, refetch, isFetching } = useQuery(membersQuery);
  const invited = useQuery(invitationsQuery);
  const { engine } = useFrontEndConfig();
  const isOnline = useMaybeUser()?.account.instance?.status === 1;
  useFollowedInvitations(invited.data?.invitations.map(({ id, state }) => `${id} ${state}`).join());
  const people = peopleOf(data?.members ?? [], invited.data?.invitations ?? []);
  return (
    <Section
      title={t("manageArea.members.people")}
      lead={t(`manageArea.members.peopleLead.${engine}`)}
      flush
      action={isOnline ? <OpenWorkspaceButton tone="plain" path="/settings/users" label={t("manageArea.members.roles")} /> : undefined}
    >
      {(data ?? error) && (invited.data ?? invited.error) ? (
        <>
          {data?.isCurrent === false ? (
            <OldAnswerNotice
              askedAt={data.askedAt}
              old={(time) => t("manageArea.members.old", { time })}
              never={t("manageArea.members.never")}
              pending={isFetching}
              onRetry={() => void refetch()}
            />
          ) : null}
          {error && !data ? (
            <ErrorNotice error={error} title={t("manageArea.members.failed")} onRetry={() => void refetch()} className="m-5 sm:mx-6" />
          ) : null}
          {invited.error && !invited.data ? (
            <ErrorNotice
              error={invited.error}
              title={invitationText("invitations.loadFailed")}
              onRetry={() => void invited.refetch()}
              className="m-5 sm:mx-6"
            />
          ) : null}
          <ul className="divide-y divide-line">
            {people.map(({ email, member, invitation }) =>
              invitation ? (
                <InvitationRow
                  key={email}
                  invitation={invitation}
                  asOfMs={invited.dataUpdatedAt}
                  name={member?.name}
                  role={member?.hasJoined ? <RoleMark role={member.role} /> : undefined}
                />
              ) : member ? (
                <MemberRow key={email} member={member} />
              ) : null,
            )}
          </ul>
          {data ? (
            <p className="border-t border-line bg-sunken px-5 py-3 text-[0.8125rem] text-ink-soft sm:px-6">
              {data.usersLimit < 0
                ? t("manageArea.members.noLimit")
                : t("manageArea.members.limit", { count: data.usersLimit, used: 1 + (invited.data?.invitations.length ?? 0) })}
            </p>
          ) : null}
        </>
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

/** The workspace adds or removes an invited person a moment after the service has recorded it. */
const workspaceFollowsMs = 3_000;

/** Requests the workspace's members again after an invitation was made, accepted or withdrawn. */
function useFollowedInvitations(states: string | undefined): void {
  const queries = useQueryClient();
  const known = useRef(states);
  useEffect(() => {
    if (known.current === undefined || states === known.current) return void (known.current = states);
    known.current = states;
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: membersQuery.queryKey }), workspaceFollowsMs);
    return () => clearTimeout(timer);
  }, [queries, states]);
}

function MemberRow({ member: { email, name, role, hasJoined } }: { member: Member }) {
  return (
    <li className="px-5 py-4 sm:px-6">
      <PersonText
        name={name}
        email={email}
        marks={
          <>
            {hasJoined ? null : (
              <span className="rounded-full bg-accent-soft px-2 py-0.5 text-xs font-semibold text-accent">
                {t("manageArea.members.invited")}
              </span>
            )}
            <RoleMark role={role} />
          </>
        }
      />
    </li>
  );
}

const RoleMark = ({ role }: { role: Member["role"] }) => (
  <span className="rounded-full bg-sunken px-2 py-0.5 text-xs font-semibold text-ink-soft">{t(`manageArea.members.role.${role}`)}</span>
);
