import { expect, test } from "vitest";
import { isBlank, isEntered, listedRows, newRow, rebaseRows, rowsOf, withPasted, type VariableRow } from "./variable-rows.ts";

const secret = (name: string) => ({ name, isSecret: true, value: null });
const open = (name: string, value: string) => ({ name, isSecret: false, value });
const shown = (rows: readonly VariableRow[]) => rows.map(({ name, value }) => `${name}=${value ?? "(kept)"}`);

test("another tab's new, changed and removed variables are taken over, and input here stays", () => {
  const from = [open("A", "1"), open("B", "1"), open("C", "1"), secret("KEY")];
  const rows = rowsOf(from).map((row) => (row.name === "A" ? { ...row, value: "mine" } : row));
  const now = [open("A", "theirs"), open("B", "theirs"), secret("KEY"), open("NEW", "1")];
  expect(shown(rebaseRows(from, [...rows, { ...newRow(), name: "OWN", value: "2" }], now))).toEqual([
    "A=mine",
    "B=theirs",
    "KEY=(kept)",
    "NEW=1",
    "OWN=2",
  ]);
});

test("variables removed here stay removed, and of two with the same name the entered one stays", () => {
  const from = [open("A", "1"), open("B", "1")];
  const rows = [rowsOf(from)[1]!, { ...newRow(), name: "BOTH", value: "mine" }];
  expect(shown(rebaseRows(from, rows, [open("A", "2"), open("B", "1"), open("BOTH", "theirs")]))).toEqual(["B=1", "BOTH=mine"]);
});

test("a renamed secret that was removed elsewhere needs its value again", () => {
  const from = [secret("KEY")];
  const rows = rowsOf(from).map((row) => ({ ...row, name: "OTHER" }));
  expect(shown(rebaseRows(from, rows, []))).toEqual(["OTHER="]);
});

test("a row is unsaved as soon as name, value or secrecy differ, and no longer once they are as before", () => {
  const from = [open("A", "1"), secret("KEY")];
  const [a, key] = rowsOf(from) as [VariableRow, VariableRow];
  expect([a, key].map((row) => isEntered(row, from))).toEqual([false, false]);
  expect(
    [
      { ...a, value: "2" },
      { ...a, isSecret: true },
      { ...key, name: "K" },
      { ...key, value: "" },
    ].map((row) => isEntered(row, from)),
  ).toEqual([true, true, true, true]);
  expect(isEntered({ ...a, value: "1" }, from)).toBe(false);
});

test("removed variables keep their place in the list, new ones come last, and an empty new row counts as nothing", () => {
  const from = [open("A", "1"), open("B", "1")];
  const rows = [rowsOf(from)[1]!, { ...newRow(), name: "C" }];
  expect(listedRows(from, rows).map(({ saved, row }) => [saved?.name, row?.name])).toEqual([
    ["A", undefined],
    ["B", "B"],
    [undefined, "C"],
  ]);
  expect([isBlank(newRow()), isBlank(rows[1]!), isBlank(rows[0]!)]).toEqual([true, false, false]);
});

test("pasted variables replace the values of their names and add the others; the empty row that they were pasted into goes", () => {
  const rows = [...rowsOf([open("A", "1"), secret("KEY")]), newRow()];
  const pasted = [
    { name: "KEY", value: "new" },
    { name: "B", value: "2" },
    { name: "B", value: "3" },
    { name: "", value: "nothing" },
  ];
  const next = withPasted(rows, rows[2]!, pasted);
  expect(shown(next.rows)).toEqual(["A=1", "KEY=new", "B=2", "B=3", "=nothing"]);
  expect(shown(next.taken)).toEqual(["KEY=new", "B=2", "B=3", "=nothing"]);
  expect(next.rows.map(({ of }) => of)).toEqual(["A", "KEY", undefined, undefined, undefined]);
  const typed = { ...newRow(), name: "TYPED" };
  expect(shown(withPasted([typed], typed, [{ name: "B", value: "2" }]).rows)).toEqual(["TYPED=", "B=2"]);
});
