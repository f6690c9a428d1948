import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";
import { mostVariables } from "#contract/workspaces/workspace-values.ts";
import { ApiError, hasCode } from "../../../lib/api/api-error.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "./words.ts";
import { t as settingsText } from "../words.ts";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import { newRow, rebaseRows, rowsOf, type VariableRow } from "./variable-rows.ts";

/** They change only when the service does. */
const settingsQuery = queryOptions({
  queryKey: ["workspace", "variable-settings"],
  queryFn: ({ signal }) => callApi("listVariableSettings", { signal }),
  staleTime: Infinity,
});

interface VariablesDialogProps {
  /** The newest known; another tab may change them while this is open. */
  saved: { revision: number; variables: readonly WorkspaceVariable[] };
  /** The name of the tool in the workspace. */
  engine: string;
  onClose: () => void;
}

/** Edits all variables together: one save, one restart. */
export default function VariablesDialog({ saved, engine, onClose }: VariablesDialogProps) {
  const queries = useQueryClient();
  const settings = useQuery(settingsQuery).data?.settings ?? [];
  const hintOf = (name: string) => {
    const values = settings.find((each) => each.name === name)?.values;
    return values === undefined ? undefined : t("variables.accepts", { engine, values });
  };
  /** The variables that the rows began with. */
  const [from, setFrom] = useState(saved);
  const [rows, setRows] = useState<VariableRow[]>(() => (saved.variables.length > 0 ? rowsOf(saved.variables) : [newRow()]));
  const isOutdated = saved.revision !== from.revision;
  const rebase = () => {
    setRows(rebaseRows(from.variables, rows, saved.variables));
    setFrom(saved);
  };
  const change = (key: number, part: Partial<VariableRow>) => setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  /** An emptied field means the saved value, which is not shown. */
  const isKept = ({ of }: VariableRow) => from.variables.find(({ name }) => name === of)?.value === null;
  /** The refused rows: a row that was changed since then has no error any more. */
  const [sent, setSent] = useState<readonly VariableRow[]>([]);
  const save = useAction(async () => {
    setSent(rows);
    const variables = rows.map(({ name, isSecret, value }) => ({ name, isSecret, ...(value !== undefined && { value }) }));
    const answer = await callApi("changeVariables", { body: { revision: from.revision, variables } }).catch((error: unknown) => {
      if (hasCode(error, "settings_changed")) void queries.invalidateQueries({ queryKey: ["workspace", "variables"] });
      throw error;
    });
    queries.setQueryData(["workspace", "variables"], answer);
    if (answer.revision !== from.revision) {
      awaitOnline();
      notify("success", t("variables.saved"));
      void queries.invalidateQueries({ queryKey: workspaceQuery.queryKey, exact: true });
      void queries.invalidateQueries({ queryKey: journalKey });
    }
    onClose();
  });
  const fields = save.error instanceof ApiError ? save.error.fields : [];
  const errorAt = (row: VariableRow, field: "name" | "value") =>
    fields.filter(({ path }) => path === `variables.${sent.indexOf(row)}.${field}`).map(({ code }) => fieldMessage(code))[0];
  const isPlaced = fields.length > 0 && fields.every(({ path }) => path.startsWith("variables."));
  return (
    <Dialog open onClose={onClose} title={t("variables.title")} description={t("variables.dialogLead")} closeLabel={t("common.close")}>
      <form
        noValidate
        className="mt-5 space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        {rows.map((row) => (
          <fieldset key={row.key} className="space-y-3 rounded-lg border border-line p-4">
            <legend className="sr-only">{row.name || t("variables.new")}</legend>
            <TextField
              label={t("variables.name")}
              value={row.name}
              onChange={({ target }) => change(row.key, { name: target.value.toUpperCase() })}
              error={errorAt(row, "name")}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
            />
            <TextField
              label={t("variables.value")}
              value={row.value ?? ""}
              placeholder={row.value === undefined ? t("variables.keep") : undefined}
              onChange={({ target }) => change(row.key, { value: target.value === "" && isKept(row) ? undefined : target.value })}
              error={errorAt(row, "value")}
              hint={hintOf(row.name)}
              maxLength={4096}
              autoComplete="off"
              spellCheck={false}
            />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <CheckboxField
                label={t("variables.secret")}
                checked={row.isSecret}
                onChange={({ target }) => change(row.key, { isSecret: target.checked })}
              />
              <Button
                tone="quiet"
                onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
                aria-label={t("variables.removeNamed", { name: row.name || t("variables.new") })}
              >
                <Trash2 className="size-4" aria-hidden="true" />
                {t("variables.remove")}
              </Button>
            </div>
          </fieldset>
        ))}
        {rows.length < mostVariables ? (
          <Button tone="plain" onClick={() => setRows([...rows, newRow()])} className="w-full">
            <Plus className="size-4" aria-hidden="true" />
            {t("variables.add")}
          </Button>
        ) : null}
        {settings.length > 0 ? (
          <details className="text-sm text-ink-soft">
            <summary className="w-fit cursor-pointer rounded-sm">{t("variables.settings", { count: settings.length, engine })}</summary>
            <p className="mt-2">{t("variables.settingsText", { engine })}</p>
            <dl className="mt-2 space-y-1.5">
              {settings.map(({ name, values }) => (
                <div key={name}>
                  <dt className="font-mono text-xs text-ink [overflow-wrap:anywhere]">{name}</dt>
                  <dd className="text-[0.8125rem]">{values}</dd>
                </div>
              ))}
            </dl>
          </details>
        ) : null}
        {isOutdated ? (
          <Notice
            tone="warning"
            title={t("variables.conflict")}
            action={
              <Button tone="plain" onClick={rebase}>
                {t("variables.rebase")}
              </Button>
            }
          >
            {t("variables.conflictText")}
          </Notice>
        ) : save.error && !isPlaced && !hasCode(save.error, "settings_changed") ? (
          <ErrorNotice error={save.error} title={t("variables.saveFailed")} />
        ) : null}
        <div className="flex flex-wrap justify-end gap-2">
          <Button tone="plain" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" disabled={isOutdated} pending={save.pending} pendingText={settingsText("settings.saving")}>
            {settingsText("settings.confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
