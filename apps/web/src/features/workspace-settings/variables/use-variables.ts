/** The variables being edited: what was entered over what was saved, and saving it all with one restart. Values are kept in memory only. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";
import { ApiError, hasCode } from "../../../lib/api/api-error.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { awaitOnline } from "../../workspace/online-notice.ts";
import { journalKey, workspaceQuery } from "../../workspace/workspace-queries.ts";
import type { PastedVariable } from "./read-env-text.ts";
import { isBlank, isEntered, newRow, rebaseRows, rowOf, rowsOf, withPasted, type VariableRow } from "./variable-rows.ts";
import { t } from "./words.ts";

export interface SavedVariables {
  revision: number;
  variables: readonly WorkspaceVariable[];
}

/** What was pressed to begin: more than one button, if the editor takes a moment to arrive. */
export type FirstStep = { do: "add" } | { do: "edit" | "remove"; name: string };

interface Edited {
  rows: VariableRow[];
  /** The rows that show their fields. */
  open: ReadonlySet<number>;
}

function begin(saved: SavedVariables, steps: readonly FirstStep[]): Edited {
  const isMeant = (step: FirstStep, of: string | undefined) => step.do !== "add" && step.name === of;
  const rows = rowsOf(saved.variables).filter(({ of }) => !steps.some((step) => step.do === "remove" && isMeant(step, of)));
  const added = steps.filter((step) => step.do === "add").map(newRow);
  const opened = rows.filter(({ of }) => steps.some((step) => isMeant(step, of)));
  return { rows: [...rows, ...added], open: new Set([...opened, ...added].map(({ key }) => key)) };
}

/** `saved` is the newest that is known; another tab may change it meanwhile. */
export function useVariables(saved: SavedVariables, steps: readonly FirstStep[]) {
  const queries = useQueryClient();
  /** What the rows began with. */
  const [from, setFrom] = useState(saved);
  const [{ rows, open }, set] = useState(() => begin(saved, steps));
  /** What was refused: a row that was changed since has no error any more. */
  const [sent, setSent] = useState<readonly VariableRow[]>([]);
  /** What was wrong when it was pasted; here, too, only until the row is changed. */
  const [wrong, setWrong] = useState<ReadonlyMap<VariableRow, PastedVariable["problems"]>>(new Map());
  const filled = rows.filter((row) => !isBlank(row));
  const removed = from.variables.filter(({ name }) => !rows.some(({ of }) => of === name));
  const unsaved = filled.filter((row) => isEntered(row, from.variables)).length + removed.length;

  const take = (next: SavedVariables, kept: VariableRow[] = rowsOf(next.variables)) => {
    setFrom(next);
    set({ rows: kept, open: new Set() });
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
      const refused = filled.filter((_, place) => places.includes(place)).map(({ key }) => key);
      // Without an answer about them, the forms stay as they are.
      set((now) => ({ rows: now.rows, open: refused.length > 0 ? new Set([...now.open, ...refused]) : now.open }));
      throw error;
    });
    take(answer);
    queries.setQueryData(["workspace", "variables"], answer);
    if (answer.revision === from.revision) return;
    awaitOnline();
    notify("success", t("variables.saved"));
    void queries.invalidateQueries({ queryKey: workspaceQuery.queryKey, exact: true });
    void queries.invalidateQueries({ queryKey: journalKey });
  });
  const fields = save.error instanceof ApiError ? save.error.fields : [];
  const errorAt = (row: VariableRow, field: "name" | "value") => {
    const code = fields.find(({ path }) => path === `variables.${sent.indexOf(row)}.${field}`)?.code ?? wrong.get(row)?.[field];
    return code && fieldMessage(code);
  };
  const isPlaced = fields.length > 0 && fields.every(({ path }) => path.startsWith("variables."));

  return {
    from,
    rows,
    unsaved,
    isOutdated,
    save,
    /** The errors below the fields of a row. */
    errorsOf: (row: VariableRow) => ({ name: errorAt(row, "name"), value: errorAt(row, "value") }),
    /** An error that no field shows. */
    otherError: save.error && !isPlaced && !hasCode(save.error, "settings_changed") ? save.error : null,
    isOpen: (row: VariableRow) => open.has(row.key),
    /** Emptied again, its field stands for the saved value, which is not shown. */
    isKept: ({ of }: VariableRow) => from.variables.find(({ name }) => name === of)?.value === null,
    edit: ({ key }: VariableRow) => set({ rows, open: new Set([...open, key]) }),
    change: (key: number, part: Partial<VariableRow>) =>
      set({ rows: rows.map((row) => (row.key === key ? { ...row, ...part } : row)), open }),
    close: (closed: VariableRow) =>
      set({
        rows: isBlank(closed) ? rows.filter((row) => row !== closed) : rows,
        open: new Set([...open].filter((key) => key !== closed.key)),
      }),
    add: () => {
      const added = newRow();
      set({ rows: [...rows, added], open: new Set([...open, added.key]) });
    },
    /** Makes a row of each; those that would be refused are open, with the reason. Returns whether all are as they must be. */
    paste: (into: VariableRow, pasted: readonly PastedVariable[]): boolean => {
      const next = withPasted(rows, into, pasted);
      const bad = next.taken.flatMap((row, place) => {
        const { problems } = pasted[place]!;
        return problems.name || problems.value ? [[row, problems] as const] : [];
      });
      setWrong(new Map([...wrong, ...bad]));
      const stillOpen = [...open].filter((key) => next.rows.some((row) => row.key === key));
      set({ rows: next.rows, open: new Set([...stillOpen, ...bad.map(([{ key }]) => key)]) });
      return bad.length === 0;
    },
    remove: (gone: VariableRow) => set({ rows: rows.filter((row) => row !== gone), open }),
    restore: (variable: WorkspaceVariable) => set({ rows: [...rows, rowOf(variable)], open }),
    discard: () => take(saved),
    rebase: () => take(saved, rebaseRows(from.variables, rows, saved.variables)),
  };
}
