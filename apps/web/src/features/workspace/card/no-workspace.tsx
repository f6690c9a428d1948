import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CreditCard, Ship } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { callApi } from "../../../lib/api/api-client.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { paths } from "../../../lib/paths.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button, ButtonLink, type ButtonTone } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Combobox } from "../../../ui/form/combobox.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { t as ownText } from "./words.ts";
import { dayOf } from "../../billing/dates.ts";
import { hasBackupsQuery } from "../../export/backups-query.ts";
import { awaitOnline } from "../online-notice.ts";
import { guessTimezone, listTimezones, matchesTimezone, timezoneOffset } from "../launch/timezones.ts";
import { VersionChoice } from "../launch/version-choice.tsx";
import { workspaceQuery } from "../workspace-queries.ts";
import type { Act } from "../state/state-table.ts";
import { useShownState } from "../state/use-shown-state.ts";

/** No active workspace: offers a new one if the subscription allows it, otherwise a plan. */
export default function NoWorkspace() {
  const state = useShownState();
  const lastBackup = useMaybeUser()?.account.lastBackup;
  if (!state) return null;
  const toneOf = (act: Act): ButtonTone => (state.primary === act ? "primary" : "plain");
  return (
    <Card label={t("workspace.title")}>
      <KeptBackups />
      {state.row === "none" ? (
        <NewWorkspace tone={toneOf("create")} />
      ) : (
        <EmptyState
          icon={<CreditCard />}
          title={lastBackup ? ownText("noWorkspace.title") : t("headlines.ended")}
          action={
            <ButtonLink to={paths.changePlan} tone={toneOf("choose-plan")}>
              {t("workspace.choosePlan")}
            </ButtonLink>
          }
        >
          {lastBackup
            ? ownText("noWorkspace.text", { made: dayOf(lastBackup.madeAt), until: dayOf(lastBackup.keptUntil) })
            : ownText("noWorkspace.noneWithoutPlan")}
        </EmptyState>
      )}
    </Card>
  );
}

/** After a deletion, the workspace's last backup is kept for a while. */
function KeptBackups() {
  const { data: areKept } = useQuery(hasBackupsQuery);
  if (!areKept) return null;
  return (
    <p className="border-b border-line px-6 py-3 text-sm text-ink-soft">
      {ownText("noWorkspace.backupsKept")}{" "}
      <Link to={paths.backups} className="link">
        {ownText("noWorkspace.toBackups")}
      </Link>
    </p>
  );
}

function NewWorkspace({ tone }: { tone: ButtonTone }) {
  const queries = useQueryClient();
  const { instanceOperations } = useFrontEndConfig();
  const timezones = useMemo(() => listTimezones(), []);
  const [timezone, setTimezone] = useState(() => guessTimezone(timezones));
  const [version, setVersion] = useState("");
  const create = useAction(async () => {
    try {
      queries.setQueryData(
        workspaceQuery.queryKey,
        await callApi("createInstance", { body: { timezone, ...(version ? { versionName: version } : {}) } }),
      );
    } catch (error) {
      // Created in another tab: show that one.
      if (!hasCode(error, "workspace_exists")) throw error;
      await queries.invalidateQueries({ queryKey: workspaceQuery.queryKey });
    }
    awaitOnline();
  });
  return (
    <div className="mx-auto max-w-md px-6 py-10">
      <div className="mb-3 grid size-11 place-items-center rounded-full bg-accent-soft text-accent" aria-hidden="true">
        <Ship className="size-5" />
      </div>
      <h2 className="text-lg font-semibold">{t("headlines.none")}</h2>
      <p className="mt-1 mb-5 text-sm text-ink-soft">{ownText("noWorkspace.noneText")}</p>
      <Combobox
        label={t("workspace.timezone")}
        items={timezones}
        value={timezone}
        onChange={(value) => value && setTimezone(value)}
        matches={matchesTimezone}
        detail={(name) => timezoneOffset(name, new Date())}
        placeholder={t("timezones.choose")}
        searchLabel={t("timezones.search")}
        emptyText={t("timezones.none")}
      />
      <VersionChoice value={version} onChange={setVersion} />
      <Button
        tone={tone}
        disabled={!instanceOperations}
        pending={create.pending}
        pendingText={ownText("noWorkspace.creating")}
        onClick={() => void create.run()}
        className="mt-4 w-full"
      >
        {ownText("noWorkspace.create")}
      </Button>
      {instanceOperations ? null : <p className="mt-1.5 text-[0.8125rem] text-ink-soft">{t("manage.operationsOff")}</p>}
      {create.error ? <ErrorNotice error={create.error} title={ownText("noWorkspace.createFailed")} className="mt-4" /> : null}
    </div>
  );
}
