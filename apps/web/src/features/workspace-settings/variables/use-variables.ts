/** The variables being edited: what was entered over what was saved, and saving it all at once. Values are kept in memory only. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";
import { ApiError, hasCode } from "../../../lib/api/api-error.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";
import { editedOf, unreadText, withChange, withClosed, withOpen, withoutRow, withPaste, withRow, type Edited } from "./edited.ts";
import { mostPastedText } from "./env-text.ts";
import { isBlank, isEntered, newRow, rebaseRows, rowOf, rowsOf, type VariableRow } from "./variable-rows.ts";
import { t } from "./words.ts";

export interface SavedVariables {
  revision: number;
  variables: readonly WorkspaceVariable[];
}

/** The buttons pressed before the editor was loaded; usually one. */
export type FirstStep = { do: "add" } | { do: "edit" | "remove"; name: string };

function begin(saved: SavedVariables, steps: readonly FirstStep[]): Edited {
  const isMeant = (step: FirstStep, of: string | undefined) => step.do !== "add" && step.name === of;
  const rows = rowsOf(saved.variables).filter(({ of }) => !steps.some((step) => step.do === "remove" && isMeant(step, of)));
  const added = steps.filter((step) => step.do === "add").map(newRow);
  const opened = rows.filter(({ of }) => steps.some((step) => isMeant(step, of)));
  return editedOf([...rows, ...added], [...opened, ...added]);
}

/**
 * `saved` is the newest that is known; another tab may change it at any time. `needsRestart`: a change of the variable with this name takes
 * effect at a start only.
 */
export function useVariables(saved: SavedVariables, steps: readonly FirstStep[], needsRestart: (name: string) => boolean) {
  const queries = useQueryClient();
  /** What the rows began with. */
  const [from, setFrom] = useState(saved);
  const [{ rows, open, wrong, refused }, set] = useState(() => begin(saved, steps));
  /** Pastes whose reader is still being fetched: saved without them, they would be lost. */
  const [reading, setReading] = useState(0);
  /** What was refused: a row that was changed since has no error any more. */
  const [sent, setSent] = useState<readonly VariableRow[]>([]);
  const filled = rows.filter((row) => !isBlank(row));
  const removed = from.variables.filter(({ name }) => !rows.some(({ of }) => of === name));
  const entered = filled.filter((row) => isEntered(row, from.variables));
  const unsaved = entered.length + removed.length;
  const changedNames = [
    ...entered.flatMap(({ name, of }) => [name, ...(of === undefined ? [] : [of])]),
    ...removed.map(({ name }) => name),
  ];
  const restarts = changedNames.some(needsRestart);

  const take = (next: SavedVariables, keep?: (rows: readonly VariableRow[]) => readonly VariableRow[]) => {
    setFrom(next);
    set((now) => editedOf(keep ? keep(now.rows) : rowsOf(next.variables)));
  };
  // Nothing was entered, so changes made elsewhere are simply shown.
  const isOutdated = saved.revision !== from.revision;
  if (isOutdated && unsaved === 0 && open.size === 0) take(saved);

  const save = useAction(async () => {
    setSent(filled);
    const variables = filled.map(({ name, isSecret, value }) => ({ name, isSecret, ...(value !== undefined && { value }) }));
    const answer = await callApi("changeVariables", { body: { revision: from.revision, variables } }).catch((error: unknown) => {
      if (hasCode(error, "settings_changed")) void queries.invalidateQueries({ queryKey: ["workspace", "variables"] });
      const places = error instanceof ApiError ? error.fields.map(({ path }) => Number(path.split(".")[1])) : [];
      const keys = filled.filter((_, place) => places.includes(place)).map(({ key }) => key);
      set((now) => withOpen(now, keys));
      throw error;
    });
    take(answer);
    queries.setQueryData(["workspace", "variables"], answer);
    if (answer.revision === from.revision) return;
    if (restarts) awaitOnline();
    notify("success", t(restarts ? "variables.savedRestarting" : "variables.saved"));
    void queries.invalidateQueries({ queryKey: workspaceQuery.queryKey, exact: true });
    void queries.invalidateQueries({ queryKey: journalKey });
  });
  const fields = save.error instanceof ApiError ? save.error.fields : [];
  const errorAt = (row: VariableRow, field: "name" | "value") => {
    const code = fields.find(({ path }) => path === `variables.${sent.indexOf(row)}.${field}`)?.code ?? wrong.get(row)?.[field];
    return code && fieldMessage(code);
  };
  const isPlaced = fields.length > 0 && fields.every(({ path }) => /^variables(?:\.|$)/.test(path));
  const listCode = sent.some((row) => rows.includes(row)) ? fields.find(({ path }) => path === "variables")?.code : undefined;

  return {
    from,
    rows,
    unsaved,
    /** Whether saving restarts the workspace. */
    restarts,
    isOutdated,
    save,
    /** The errors below the fields of a row. */
    errorsOf: (row: VariableRow) => ({ name: errorAt(row, "name"), value: errorAt(row, "value") }),
    /** What is wrong with all of them together. */
    listError: listCode && fieldMessage(listCode),
    refused,
    isReading: reading > 0,
    /** An error that no field shows. */
    otherError: save.error && !isPlaced && !hasCode(save.error, "settings_changed") ? save.error : null,
    isOpen: (row: VariableRow) => open.has(row.key),
    /** If it is cleared again, the field means the saved value, which is not shown. */
    isKept: ({ of }: VariableRow) => from.variables.find(({ name }) => name === of)?.value === null,
    edit: ({ key }: VariableRow) => set((now) => withOpen(now, [key])),
    change: (key: number, part: Partial<VariableRow>) => set((now) => withChange(now, key, part)),
    close: ({ key }: VariableRow) => set((now) => withClosed(now, key)),
    add: () => {
      const added = newRow();
      set((now) => withRow(now, added, true));
    },
    /** Reads text of a `.env` file; what is typed or pasted meanwhile stays. Loses nothing: what cannot be read becomes a value. */
    paste: async (into: VariableRow, text: string, settings: readonly string[]): Promise<void> => {
      if (text.length > mostPastedText) {
        set((now) => ({ ...now, refused: { into: into.key, why: "tooLong", count: text.length, most: mostPastedText } }));
        return;
      }
      setReading((count) => count + 1);
      const pasted = await import("./read-env-text.ts")
        .then(({ readEnvText }) => readEnvText(text, settings))
        .catch(() => unreadText(text.trim()));
      flushSync(() => set((now) => withPaste(now, into, pasted)));
      setReading((count) => count - 1);
    },
    remove: ({ key }: VariableRow) => set((now) => withoutRow(now, key)),
    restore: (variable: WorkspaceVariable) => {
      const restored = rowOf(variable);
      set((now) => withRow(now, restored, false));
    },
    discard: () => take(saved),
    rebase: () => take(saved, (newest) => rebaseRows(from.variables, newest, saved.variables)),
  };
}
