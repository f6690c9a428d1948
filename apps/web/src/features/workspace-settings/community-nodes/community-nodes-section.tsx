import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Blocks } from "lucide-react";
import type { CommunityNode } from "#contract/workspaces/community-nodes.ts";
import type { RouteAnswer } from "#contract/api/route.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import type { Routes } from "../../../lib/api/calls.ts";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { PasswordFirst } from "../password-first/password-first.tsx";
import { t } from "./words.ts";
import { OldAnswerNotice } from "../../workspace/old-answer-notice.tsx";
import { OpenWorkspaceButton } from "../../workspace/open-workspace-button.tsx";
import { WakingNote } from "../../workspace/waking-note.tsx";

/**
 * A sleeping workspace is woken to be asked, but not because its owner returns to the window. If optional, it does not ask for a password:
 * n8n's editor links to the page, and its session may not read them without.
 */
const readNodes = (isOptional: boolean) =>
  queryOptions({
    queryKey: ["workspace", "community-nodes"],
    queryFn: ({ signal }) => callApi("listCommunityNodes", { signal, isOptional }),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** The nodes that the owner added to n8n, as reported by the workspace, where they are added and removed. Nothing if none can be added. */
export function CommunityNodesSection({ isOnline }: { isOnline: boolean }) {
  const queries = useQueryClient();
  const { data, error, isFetching } = useQuery(readNodes(true));
  const read = () => void queries.fetchQuery({ ...readNodes(false), staleTime: 0 }).catch(() => {});
  if (data?.isOffered === false) return null;
  return (
    <Section
      anchor="community-nodes"
      title={t("communityNodes.title")}
      lead={t("communityNodes.lead")}
      flush
      action={
        isOnline ? <OpenWorkspaceButton tone="plain" path="/settings/community-nodes" label={t("communityNodes.manage")} /> : undefined
      }
    >
      {data ? (
        <Nodes {...data} pending={isFetching} onRetry={read} />
      ) : hasCode(error, "password_needed") ? (
        <PasswordFirst onEnter={read} />
      ) : error ? (
        <div className="p-5 sm:px-6">
          <ErrorNotice error={error} title={t("communityNodes.failed")} onRetry={read} />
        </div>
      ) : (
        <SkeletonGroup label={t("common.loading")} className="p-5 sm:px-6">
          <WakingNote />
          <Skeleton className="h-10" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

function Nodes({
  nodes,
  askedAt,
  isCurrent,
  pending,
  onRetry,
}: RouteAnswer<Routes["listCommunityNodes"]> & { pending: boolean; onRetry: () => void }) {
  return (
    <>
      {isCurrent ? null : (
        <OldAnswerNotice
          askedAt={askedAt}
          old={(time) => t("communityNodes.old", { time })}
          never={t("communityNodes.never")}
          pending={pending}
          onRetry={onRetry}
        />
      )}
      {nodes.some(({ isHeldBack }) => isHeldBack) ? (
        <Notice tone="warning" title={t("communityNodes.heldBackText")} className="m-5 sm:mx-6" />
      ) : null}
      {nodes.length > 0 ? (
        <ul className="divide-y divide-line">
          {nodes.map((node) => (
            <NodeRow key={node.name} node={node} />
          ))}
        </ul>
      ) : askedAt ? (
        <EmptyState icon={<Blocks />} title={t("communityNodes.empty")}>
          {t("communityNodes.emptyText")}
        </EmptyState>
      ) : null}
    </>
  );
}

function NodeRow({ node: { name, version, isHeldBack } }: { node: CommunityNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 sm:px-6">
      <p className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{name}</p>
      <p className="flex flex-wrap items-center gap-2 text-xs font-semibold">
        {isHeldBack ? <span className="rounded-full bg-warning-soft px-2 py-0.5 text-warning">{t("communityNodes.heldBack")}</span> : null}
        <span className="rounded-full bg-sunken px-2 py-0.5 text-ink-soft [overflow-wrap:anywhere]">{version}</span>
      </p>
    </li>
  );
}
