import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "./words.ts";
import { notify } from "../../../lib/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { TypedNameForm } from "../../workspace/typed-name-form.tsx";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";

/** An update is over a moment after the workspace is online, and nothing else changes then. */
const underWayMs = 2000;

/** Asked again whenever the version that is wanted or runs changes: then something became of an update. */
const updateQuery = ({ versionName, runningVersion, status }: Instance) =>
  queryOptions({
    queryKey: ["workspace", "update", versionName, runningVersion ?? "", status],
    queryFn: ({ signal }) => callApi("getInstanceUpdate", { signal }),
    // A version that comes back is no reason to show what was known when it ran before.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.update?.state === "running" ? underWayMs : false),
  });

/** What became of the last change of version, and the way back from it; nothing where there was none. */
export function UpdateSection({ instance }: { instance: Instance }) {
  const { data, error } = useQuery(updateQuery(instance));
  if (error) return <ErrorNotice error={error} title={t("updates.failed")} />;
  if (!data?.update) return null;
  return (
    <Section title={t("updates.title")} lead={t("updates.lead")}>
      <Outcome update={data.update} />
      {data.update.canRollBackUntil ? <WayBack life={instance.life} update={data.update} until={data.update.canRollBackUntil} /> : null}
    </Section>
  );
}

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "long" });

function Outcome({ update }: { update: WorkspaceUpdate }) {
  const state =
    update.state === "rolled-back" ? "rolledBack" : update.state === "successful" && update.isRollBack ? "wayBack" : update.state;
  const time = moment.format(new Date(update.finishedAt ?? update.startedAt));
  return (
    <div className="text-sm">
      <p className="font-medium">{t(`updates.states.${state}`, { from: update.fromVersion, to: update.toVersion, time })}</p>
      {update.reason ? <p className="mt-1">{update.reason}</p> : null}
      <p className="mt-1 text-ink-soft">{t(`updates.asked.${update.askedBy}`)}</p>
    </div>
  );
}

function WayBack({ life, update, until }: { life: number; update: WorkspaceUpdate; until: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="text-sm text-ink-soft">{t("updates.rollBackUntil", { day: day.format(new Date(until)), to: update.fromVersion })}</p>
      <Button tone="plain" disabled={!instanceOperations} onClick={() => setIsAsking(true)} className="max-sm:w-full disabled:opacity-60">
        {t("updates.rollBack", { to: update.fromVersion })}
      </Button>
      {isAsking ? (
        <RollBackDialog
          life={life}
          to={update.fromVersion}
          time={moment.format(new Date(update.finishedAt ?? update.startedAt))}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  );
}

/** The account's name, typed, takes the workspace back to the version before the last update. */
function RollBackDialog({ life, to, time, onClose }: { life: number; to: string; time: string; onClose: () => void }) {
  // The one that was shown when the dialog opened, whatever has its place by the time the name is typed.
  const [meant] = useState(life);
  const queries = useQueryClient();
  const goBack = useAction(async (accountName: string) => {
    const instance = await callApi("rollBackInstance", { body: { accountName, life: meant } });
    awaitOnline();
    queries.setQueryData(workspaceQuery.queryKey, instance);
    void queries.invalidateQueries({ queryKey: journalKey });
    notify("info", t("updates.asking"));
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("updates.dialogTitle", { to })}
      description={t("updates.dialogLead", { time })}
      closeLabel={t("common.close")}
    >
      <TypedNameForm
        action={goBack}
        label={(name) => t("updates.typeName", { name })}
        failed={t("updates.refused")}
        confirm={t("updates.confirm")}
        pending={t("updates.going")}
      />
    </Dialog>
  );
}
