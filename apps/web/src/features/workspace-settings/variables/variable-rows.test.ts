import { expect, test } from "vitest";
import { newRow, rebaseRows, rowsOf, type VariableRow } from "./variable-rows.ts";

const secret = (name: string) => ({ name, isSecret: true, value: null });
const open = (name: string, value: string) => ({ name, isSecret: false, value });
const shown = (rows: readonly VariableRow[]) => rows.map(({ name, value }) => `${name}=${value ?? "(kept)"}`);

test("another tab's new, changed and removed variables are adopted, and input here stays", () => {
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
