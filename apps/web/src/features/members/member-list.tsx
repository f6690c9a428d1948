import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Member } from "#contract/accounts/member.ts";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
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
import { useInstance } from "../workspace/workspace-queries.ts";
import { WakingNote } from "../workspace/waking-note.tsx";
import { membersQuery } from "./members-query.ts";
import { peopleOf, type Person } from "./people.ts";
import { sayDay } from "./say-day.ts";

/**
 * A row for each person in the workspace, with their role and last day, and below them for each invited person, with the invitation's state.
 * Roles are changed in the workspace.
 */
export function MemberList() {
  const { data, error, refetch, isFetching } = useQuery(membersQuery);
  const invited = useQuery(invitationsQuery);
  const { engine } = useFrontEndConfig();
  const user = useMaybeUser();
  const isOnline = useInstance()?.status === 1;
  const hasSeveral = engineTraits[engine].members;
  useFollowedInvitations(invited.data?.invitations.map(({ id, state }) => `${id} ${state}`).join());
  const { joined, pending } = peopleOf(data?.members ?? [], invited.data?.invitations ?? []);
  const people = [...joined, ...pending];
  return (
    <Section
      title={t("manageArea.members.people")}
      lead={t(`manageArea.members.peopleLead.${engine}`)}
      flush
      action={
        isOnline && hasSeveral ? (
          <OpenWorkspaceButton tone="plain" path="/settings/users" label={t("manageArea.members.roles")} />
        ) : undefined
      }
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
          <PersonRows people={joined} asOfMs={invited.dataUpdatedAt} ownEmail={user?.email} />
          {data && people.length === 1 && hasSeveral ? (
            <div className="border-t border-line">
              <EmptyState icon={<UserPlus />} title={t("manageArea.members.alone")}>
                {t("manageArea.members.aloneText")}
              </EmptyState>
            </div>
          ) : null}
          {pending.length > 0 ? (
            <div role="group" aria-label={t("manageArea.members.pending")} className="border-t border-line">
              <h3 className="border-b border-line bg-sunken px-5 py-2.5 text-sm font-semibold sm:px-6">
                {t("manageArea.members.pending")} <span className="font-normal text-ink-soft tabular-nums">{pending.length}</span>
              </h3>
              <PersonRows people={pending} asOfMs={invited.dataUpdatedAt} ownEmail={user?.email} />
            </div>
          ) : null}
          {data && hasSeveral ? (
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

/** `ownEmail`: of the user who looks. */
function PersonRows({ people, asOfMs, ownEmail }: { people: readonly Person[]; asOfMs: number; ownEmail: string | undefined }) {
  const nowMs = useNow(60_000);
  return (
    <ul className="divide-y divide-line">
      {people.map(({ email, member, invitation }) =>
        invitation ? (
          <InvitationRow
            key={email}
            invitation={invitation}
            asOfMs={asOfMs}
            name={member?.name}
            role={member?.hasJoined ? <RoleMark role={member.role} /> : undefined}
            seen={lastActive(member, nowMs)}
          />
        ) : member ? (
          <MemberRow key={email} member={member} isOwn={email === ownEmail} note={lastActive(member, nowMs)} />
        ) : null,
      )}
    </ul>
  );
}

/** When a person last used the workspace, by the day, as it reports it. */
function lastActive(member: Member | undefined, nowMs: number): string | undefined {
  return member?.lastActiveOn ? t("manageArea.members.lastActive", { day: sayDay(member.lastActiveOn, nowMs) }) : undefined;
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

function MemberRow({
  member: { email, name, role, hasJoined },
  isOwn,
  note,
}: {
  member: Member;
  isOwn: boolean;
  note: string | undefined;
}) {
  return (
    <li className="px-5 py-4 sm:px-6">
      <PersonText
        name={name}
        email={email}
        note={note}
        marks={
          <>
            {isOwn ? <span className="text-sm text-ink-soft">{t("manageArea.members.you")}</span> : null}
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
