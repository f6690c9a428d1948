import { useQuery, useQueryClient, queryOptions } from "@tanstack/react-query";
import { useRef, useState, type RefObject } from "react";
import type { Session } from "#contract/accounts/session.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "./words.ts";
import { SessionRow } from "./session-row.tsx";

/** Where the user is signed in, this session first, and the buttons that sign out elsewhere. */
export function SessionsSection() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const list = useRef<HTMLUListElement>(null);
  const reload = async () => {
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    // The focused button has disappeared with its row.
    list.current?.focus();
  };
  const endOthers = useAction(async () => {
    const { ended } = await callApi("endOtherSessions");
    notify("success", t("sessions.othersEnded", { count: ended }));
    await reload();
  });
  const action = data && data.total > 1 ? <EndOthers pending={endOthers.pending} onConfirm={() => void endOthers.run()} /> : undefined;
  return (
    <Section title={t("sessions.list")} lead={t("sessions.listLead")} flush action={action}>
      {endOthers.error ? <ErrorNotice error={endOthers.error} title={t("sessions.endOthersFailed")} className="m-5 sm:mx-6" /> : null}
      {data ? (
        <Sessions sessions={data.sessions} total={data.total} list={list} reload={reload} />
      ) : error ? (
        <div className="p-5 sm:px-6">
          <ErrorNotice error={error} title={t("sessions.failed")} onRetry={() => void refetch()} />
        </div>
      ) : (
        <SkeletonGroup label={t("common.loading")} className="space-y-4 p-5 sm:px-6">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

interface SessionsProps {
  sessions: Session[];
  total: number;
  list: RefObject<HTMLUListElement | null>;
  reload: () => Promise<void>;
}

function Sessions({ sessions, total, list, reload }: SessionsProps) {
  const nowMs = useNow(30_000);
  const left = total - sessions.length;
  const rest = total === 1 ? t("sessions.onlyHere") : left > 0 ? t("sessions.more", { count: left }) : null;
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t("sessions.list")} className="divide-y divide-line outline-none">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} nowMs={nowMs} onEnded={reload} />
        ))}
      </ul>
      <div className="border-t border-line bg-sunken px-5 py-3 text-[0.8125rem] text-ink-soft sm:px-6">
        {rest ? <p>{rest}</p> : null}
        <p>{t("sessions.lives")}</p>
      </div>
    </>
  );
}

function EndOthers({ pending, onConfirm }: { pending: boolean; onConfirm: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button tone="plain" pending={pending} pendingText={t("sessions.ending")} onClick={() => setIsAsking(true)} className="max-sm:w-full">
        {t("sessions.endOthers")}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("sessions.endOthersTitle")}
        confirmLabel={t("sessions.endOthers")}
        cancelLabel={t("common.cancel")}
        onConfirm={onConfirm}
      >
        {t("sessions.endOthersText")}
      </ConfirmDialog>
    </>
  );
}

/** The user's sessions, this one first. */
const sessionsQuery = queryOptions({ queryKey: ["sessions"], queryFn: ({ signal }) => callApi("listSessions", { signal }) });
