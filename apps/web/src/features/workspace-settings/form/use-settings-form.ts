/** The settings being edited, compared with their values when the form was filled and with changes made by another tab or an update. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { usePrefetch } from "../../../lib/first-view/when-idle.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { loadFrontEndConfig } from "../../../lib/front-end-config.ts";
import { useLateRules } from "../../../lib/forms/use-late-rules.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useDraftOverSessions } from "../../../lib/use-draft.ts";
import { t } from "../words.ts";
import { placeFieldErrors } from "../../credentials/place-field-errors.ts";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";
import { changedSettings, rebase, valuesOf, type SettingsValues } from "./settings-values.ts";

const fieldNames = ["timezone", "versionName", "configuration.executionsToKeep"] as const;

const loadSaid = () => import("./say-saved.ts");

/** Unsaved input, with the values it is based on. */
type Draft = { from: SettingsValues; entered: SettingsValues } | "";

/** `instance` is kept current from outside. No input is lost when it changes, or when the session ends. */
export function useSettingsForm(instance: Instance, part: string) {
  const queries = useQueryClient();
  usePrefetch(loadSaid);
  const user = useMaybeUser();
  const [draft, keepDraft, forgetDraft] = useDraftOverSessions<Draft>(`settings.${part}.${user?.id}`, "");
  const plan = user?.account.planSpec ?? null;
  /** The values that the form was filled from. */
  const [base, setBase] = useState(instance);
  const form = useForm<SettingsValues>({
    resolver: useLateRules(async () => (await import("./settings-rules.ts")).settingsRules(plan)),
    mode: "onTouched",
    defaultValues: draft ? rebase(draft.from, draft.entered, valuesOf(instance)) : valuesOf(instance),
  });
  const values = form.watch();
  const changed = changedSettings(valuesOf(base), values);
  const changedElsewhere = instance.revision === base.revision ? [] : changedSettings(valuesOf(base), valuesOf(instance));

  const take = (from: Instance, filled: SettingsValues = valuesOf(from)) => {
    setBase(from);
    form.reset(filled);
  };
  // Nothing was entered, so changes made elsewhere are simply shown.
  const follows = changed.length === 0 && changedElsewhere.length > 0;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when it becomes so
  useEffect(() => void (follows && take(instance)), [follows, instance.revision]);

  const unsaved = changed.length > 0 ? JSON.stringify({ from: valuesOf(base), entered: values }) : "";
  useEffect(() => {
    if (unsaved) keepDraft(JSON.parse(unsaved) as Draft);
    else forgetDraft();
  }, [unsaved, keepDraft, forgetDraft]);

  const save = useAction(async (entered: SettingsValues) => {
    // The API expects the whole instance without its status.
    const { status: _status, ...rest } = base;
    try {
      const saved = await callApi("changeInstance", { body: { ...rest, ...entered } });
      queries.setQueryData(workspaceQuery.queryKey, saved);
      // What was entered since then is not saved yet.
      take(saved, rebase(entered, form.getValues(), valuesOf(saved)));
      if (saved.status === instanceStatus.pending) awaitOnline();
      void loadSaid().then(
        ({ saySaved }) => saySaved(base, saved, queries),
        () => notify("success", t("settings.saved")),
      );
      void queries.invalidateQueries({ queryKey: journalKey });
    } catch (error) {
      if (hasCode(error, "instance_operations_off")) void loadFrontEndConfig();
      if (hasCode(error, "settings_changed"))
        return void (await queries.invalidateQueries({ queryKey: workspaceQuery.queryKey, exact: true }));
      if (!placeFieldErrors(error, fieldNames, form.setError)) throw error;
    }
  });

  return {
    form,
    values,
    changed,
    save,
    /** What was changed elsewhere while this form was being edited. */
    conflict: changed.length > 0 ? changedElsewhere : [],
    keepMine: () => take(instance, rebase(valuesOf(base), values, valuesOf(instance))),
    takeTheirs: () => take(instance),
    discard: () => take(base),
    mostExecutions: executionsKeptBy(plan),
  };
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;
