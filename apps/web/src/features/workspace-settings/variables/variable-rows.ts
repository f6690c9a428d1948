/** The variables being edited. Input is kept separate from saved values, so that another tab's save is noticed and kept. */
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";

export interface VariableRow {
  key: number;
  /** The saved variable that is edited; undefined: a new one. */
  of: string | undefined;
  name: string;
  isSecret: boolean;
  /** Undefined: the saved value, which is not shown. */
  value: string | undefined;
}

let lastKey = 0;

/** An empty row: values are hidden unless their owner chooses otherwise. */
export const newRow = (): VariableRow => ({ key: ++lastKey, of: undefined, name: "", isSecret: true, value: "" });

/** The row of a saved variable. */
export const rowOf = ({ name, isSecret, value }: WorkspaceVariable): VariableRow => ({
  key: ++lastKey,
  of: name,
  name,
  isSecret,
  value: value ?? undefined,
});

/** The rows of the saved variables. */
export const rowsOf = (saved: readonly WorkspaceVariable[]): VariableRow[] => saved.map(rowOf);

const isSame = (row: VariableRow, saved: WorkspaceVariable): boolean =>
  row.name === saved.name && row.isSecret === saved.isSecret && row.value === (saved.value ?? undefined);

/** Whether a row differs from what it began with, one of `from`. */
export const isEntered = (row: VariableRow, from: readonly WorkspaceVariable[]): boolean => {
  const saved = from.find(({ name }) => name === row.of);
  return !saved || !isSame(row, saved);
};

/** Nothing was typed into a new row. */
export const isBlank = ({ of, name, value }: VariableRow): boolean => of === undefined && name === "" && value === "";

/** What is listed: the saved variables in their order, those that were removed without a row, then the new ones. */
export function listedRows(
  from: readonly WorkspaceVariable[],
  rows: readonly VariableRow[],
): { saved?: WorkspaceVariable; row?: VariableRow }[] {
  const known = from.map((saved) => ({ saved, row: rows.find(({ of }) => of === saved.name) }));
  const added = rows.filter(({ of }) => of === undefined).map((row) => ({ row }));
  return [...known.map(({ saved, row }) => (row ? { saved, row } : { saved })), ...added];
}

/** A name and a value that were pasted together with others. */
interface Pasted {
  name: string;
  value: string;
}

/**
 * The rows after variables were pasted into one: those with the name of a row replace its value, and the others are added. The row stays if
 * anything had been typed into it; one variable alone fills an empty row. `taken` has the row of each, in order.
 */
export function withPasted(
  rows: readonly VariableRow[],
  into: VariableRow,
  pasted: readonly Pasted[],
): { rows: VariableRow[]; taken: VariableRow[] } {
  const [only] = pasted.length === 1 ? pasted : [];
  if (only && only.name !== "" && isBlank(into) && rows.includes(into) && !rows.some((row) => row !== into && row.name === only.name)) {
    const filled = { ...into, name: only.name, value: only.value };
    return { rows: rows.map((row) => (row === into ? filled : row)), taken: [filled] };
  }
  const kept = rows.filter((row) => row.key !== into.key || !isBlank(row));
  const replaced = new Map<number, VariableRow>();
  const taken = pasted.map(({ name, value }) => {
    const held = kept.find((row) => row.name === name && name !== "" && !replaced.has(row.key));
    const row = held ? { ...held, value } : { ...newRow(), name, value };
    if (held) replaced.set(held.key, row);
    return row;
  });
  const added = taken.filter(({ key }) => !replaced.has(key));
  return { rows: [...kept.map((row) => replaced.get(row.key) ?? row), ...added], taken };
}

/** Applies the input in `rows`, which began with `from`, to what is saved now. If both changed a variable, the input wins. */
export function rebaseRows(
  from: readonly WorkspaceVariable[],
  rows: readonly VariableRow[],
  now: readonly WorkspaceVariable[],
): VariableRow[] {
  const before = new Set(from.map(({ name }) => name));
  const entered = rows.filter((row) => isEntered(row, from));
  const rebased = now.flatMap((saved) => {
    const row = rows.find(({ of }) => of === saved.name);
    if (row) return entered.includes(row) ? row : rowOf(saved);
    // Removed here, or entered here under the same name.
    const isReplaced = before.has(saved.name) || entered.some(({ name }) => name === saved.name);
    return isReplaced ? [] : rowOf(saved);
  });
  const added = entered.filter((row) => !rebased.includes(row));
  // The value that it would keep no longer exists.
  return [...rebased, ...added.map((row) => ({ ...row, of: undefined, value: row.value ?? "" }))];
}
