import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState, type ReactNode } from "react";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { usePrefetch } from "../../../lib/first-view/when-idle.ts";
import { loadPage } from "../../../lib/faults/load-page.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { LoadingLines } from "../../../ui/notices/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "./words.ts";
import { dateFormat, moment } from "../../../lib/formats.ts";
import { said } from "../../../words/sentences.ts";

const load = () => import("./roll-back-dialog.tsx");
const RollBackDialog = lazy(() => loadPage(load));

/** An update ends a moment after the workspace is online, and nothing else changes then. */
const underWayMs = 2000;

/** Reloaded whenever the wanted or the running version changes, because an update then made progress. */
const updateQuery = ({ versionName, runningVersion, status }: Instance) =>
  queryOptions({
    queryKey: ["workspace", "update", versionName, runningVersion ?? "", status],
    queryFn: ({ signal }) => callApi("getInstanceUpdate", { signal }),
    // If a version returns, what was loaded when it ran before must not be shown.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.update?.state === "running" ? underWayMs : false),
  });

/**
 * The outcome of the last change of version, and the way back from it; nothing if there was none. What is below it, `children`, waits for
 * its first answer, so that it does not move.
 */
export function UpdateSection({ instance, children }: { instance: Instance; children: ReactNode }) {
  const { data, error, isPending, failureCount, refetch } = useQuery(updateQuery(instance));
  // What is below keeps its input while another state of the workspace is asked about.
  const [isKnown, setIsKnown] = useState(false);
  if (!isKnown && isPending && failureCount === 0) return <LoadingLines lines={6} />;
  if (!isKnown) setIsKnown(true);
  return (
    <>
      {error ? (
        <ErrorNotice error={error} title={t("updates.failed")} onRetry={() => void refetch()} />
      ) : data?.update ? (
        <LastUpdate life={instance.life} update={data.update} />
      ) : null}
      {children}
    </>
  );
}

function LastUpdate({ life, update }: { life: number; update: WorkspaceUpdate }) {
  return (
    <Section title={t("updates.title")}>
      <Outcome update={update} />
      {update.canRollBackUntil ? <WayBack life={life} update={update} until={update.canRollBackUntil} /> : null}
    </Section>
  );
}

const day = dateFormat({ dateStyle: "long" });

function Outcome({ update }: { update: WorkspaceUpdate }) {
  const state =
    update.state === "rolled-back" ? "rolledBack" : update.state === "successful" && update.isRollBack ? "wayBack" : update.state;
  const time = moment.format(new Date(update.finishedAt ?? update.startedAt));
  return (
    <div className="text-sm">
      <p className="font-medium">{t(`updates.states.${state}`, { from: update.fromVersion, to: update.toVersion, time })}</p>
      {update.reason ? <p className="mt-1">{said(update.reason)}</p> : null}
      <p className="mt-1 text-ink-soft">{t(`updates.asked.${update.askedBy}`)}</p>
    </div>
  );
}

function WayBack({ life, update, until }: { life: number; update: WorkspaceUpdate; until: string }) {
  usePrefetch(load);
  const [isAsking, setIsAsking] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="text-sm text-ink-soft">{t("updates.rollBackUntil", { day: day.format(new Date(until)), to: update.fromVersion })}</p>
      <Button tone="plain" disabled={!instanceOperations} onClick={() => setIsAsking(true)} className="max-sm:w-full disabled:opacity-60">
        {t("updates.rollBack", { to: update.fromVersion })}
      </Button>
      {isAsking ? (
        <Suspense fallback={null}>
          <RollBackDialog
            life={life}
            to={update.fromVersion}
            time={moment.format(new Date(update.finishedAt ?? update.startedAt))}
            onClose={() => setIsAsking(false)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
