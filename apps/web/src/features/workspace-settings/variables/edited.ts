/** What is being edited, and how each step changes it. Each takes the newest state, because pasted text is read while the user types. */
import { mostVariables } from "#contract/workspaces/workspace-values.ts";
import type { PastedVariable } from "./read-env-text.ts";
import { isBlank, withPasted, type VariableRow } from "./variable-rows.ts";

export interface Edited {
  rows: readonly VariableRow[];
  /** The keys of the rows that show their fields. */
  open: ReadonlySet<number>;
  /** What was wrong when it was pasted, only until the row is changed. */
  wrong: ReadonlyMap<VariableRow, PastedVariable["problems"]>;
  /** The last paste, if it was refused. */
  refused?: RefusedPaste | undefined;
}

export interface RefusedPaste {
  /** The row that it was pasted into. */
  into: number;
  why: "tooMany" | "tooLong";
  /** Variables, or characters. */
  count: number;
  /** How many more were possible. */
  most: number;
}

export const editedOf = (rows: readonly VariableRow[], open: readonly VariableRow[] = []): Edited => ({
  rows,
  open: new Set(open.map(({ key }) => key)),
  wrong: new Map(),
});

export const withOpen = (now: Edited, keys: readonly number[]): Edited => ({ ...now, open: new Set([...now.open, ...keys]) });

export const withChange = (now: Edited, key: number, part: Partial<VariableRow>): Edited => ({
  ...now,
  rows: now.rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
});

export const withRow = (now: Edited, row: VariableRow, isOpen: boolean): Edited => ({
  ...now,
  rows: [...now.rows, row],
  open: isOpen ? new Set([...now.open, row.key]) : now.open,
});

export const withoutRow = ({ rows, ...now }: Edited, key: number): Edited => ({
  ...now,
  rows: rows.filter((row) => row.key !== key),
  refused: undefined,
});

/** An empty new row is not kept. */
export const withClosed = (now: Edited, key: number): Edited => ({
  ...now,
  rows: now.rows.filter((row) => row.key !== key || !isBlank(row)),
  open: new Set([...now.open].filter((each) => each !== key)),
});

/** Makes a row of each; those that would be refused are open, with the reason. Refuses all if they are more than can be saved. */
export function withPaste(now: Edited, into: VariableRow, pasted: readonly PastedVariable[]): Edited {
  const next = withPasted(now.rows, into, pasted);
  const held = now.rows.filter((row) => !isBlank(row)).length;
  const total = next.rows.filter((row) => !isBlank(row)).length;
  if (total > Math.max(held, mostVariables)) {
    return { ...now, refused: { into: into.key, why: "tooMany", count: total - held, most: Math.max(mostVariables - held, 0) } };
  }
  const bad = next.taken.flatMap((row, place) => {
    const { problems } = pasted[place]!;
    return problems.name || problems.value ? [[row, problems] as const] : [];
  });
  const stillOpen = [...now.open].filter((key) => next.rows.some((row) => row.key === key));
  return {
    rows: next.rows,
    open: new Set([...stillOpen, ...bad.map(([{ key }]) => key)]),
    wrong: new Map([...now.wrong, ...bad]),
  };
}

/** Text that could not be read is kept as the value of a variable without a name. */
export const unreadText = (text: string): PastedVariable[] => [
  { name: "", value: text, problems: { name: "variable.name", ...(/[\r\n]/.test(text) && { value: "variable.value" }) } },
];
