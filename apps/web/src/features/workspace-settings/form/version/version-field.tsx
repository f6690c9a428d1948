import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { releaseChannels } from "#contract/workspaces/workspace-values.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { ErrorNotice } from "../../../../ui/notices/error-notice.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { Skeleton, SkeletonGroup } from "../../../../ui/progress/skeleton.tsx";
import { FieldError } from "../../../../ui/form/field-frame.tsx";
import { t } from "../../words.ts";
import { t as workspaceText } from "../../../workspace/words.ts";
import type { SettingsForm } from "../use-settings-form.ts";
import { versionsQuery } from "./versions-query.ts";
import { loadPage } from "../../../../lib/faults/load-page.ts";
import { fieldMessage } from "../../../../lib/errors/field-message.ts";

/** A chunk of its own, fetched with the versions: the page is at its size budget. */
const load = () => import("./version-rows.tsx");
const VersionRows = lazy(() => loadPage(load).then(({ VersionRows: rows }) => ({ default: rows })));

/** The channel and its releases; the current one is always among them. */
export function VersionField({ instance, settings: { form, values } }: { instance: Instance; settings: SettingsForm }) {
  const { data, error, refetch } = useQuery(versionsQuery(instance.versionName));
  const { channel } = values.configuration;
  const refused = form.formState.errors.versionName?.message;
  const offered = data?.versions.filter((version) => version.channel === "stable" || channel === "newest" || version.name === data.current);
  const waiting = (
    <SkeletonGroup label={t("common.loading")}>
      <Skeleton className="h-[334px] md:h-[249px] lg:h-[175px]" />
    </SkeletonGroup>
  );
  return (
    <div className="space-y-4">
      <SelectField
        {...form.register("configuration.channel")}
        label={t("settings.channel")}
        hint={t(`settings.channels.${channel}.hint`)}
        options={releaseChannels.map((value) => ({ value, label: t(`settings.channels.${value}.label`) }))}
        className="max-w-sm"
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">
          {t("settings.version", { engine: workspaceText(`workspace.engines.${instance.engine}`) })}
        </legend>
        {offered && data ? (
          <Suspense fallback={waiting}>
            <VersionRows
              versions={offered}
              current={data.current}
              running={instance.runningVersion}
              chosen={values.versionName}
              field={form.register("versionName")}
            />
          </Suspense>
        ) : error ? (
          <ErrorNotice error={error} title={t("settings.versionsFailed")} onRetry={() => void refetch()} />
        ) : (
          waiting
        )}
        {refused ? <FieldError id="version-error">{fieldMessage(refused)}</FieldError> : null}
      </fieldset>
    </div>
  );
}
