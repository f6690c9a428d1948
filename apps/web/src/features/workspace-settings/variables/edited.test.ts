import { expect, test } from "vitest";
import { editedOf, unreadText, withChange, withClosed, withoutRow, withPaste, withRow } from "./edited.ts";
import { newRow, rowsOf, type VariableRow } from "./variable-rows.ts";

const shown = (rows: readonly VariableRow[]) => rows.map(({ name, value }) => `${name}=${value ?? "(kept)"}`);
const pasted = (count: number, name = "P") => Array.from({ length: count }, (_, n) => ({ name: `${name}${n}`, value: "1", problems: {} }));

test("what was typed or pasted while pasted text was being read stays", () => {
  const into = newRow();
  const other = newRow();
  const begun = editedOf([into, other], [into, other]);
  const typed = withChange(withChange(begun, into.key, { name: "TYPED" }), other.key, { value: "2" });
  const twice = withPaste(withPaste(typed, into, pasted(1)), into, pasted(2, "Q"));
  expect(shown(twice.rows)).toEqual(["TYPED=", "=2", "P0=1", "Q0=1", "Q1=1"]);
  expect([...twice.open]).toEqual([into.key, other.key]);
});

test("one pasted variable fills the empty row that it was pasted into, and is added to one that is not empty", () => {
  const into = newRow();
  const filled = withPaste(editedOf([into], [into]), into, pasted(1));
  expect(shown(filled.rows)).toEqual(["P0=1"]);
  expect([...filled.open]).toEqual([into.key]);
  const valued = { ...newRow(), value: "typed" };
  expect(shown(withPaste(editedOf([valued]), valued, pasted(1)).rows)).toEqual(["=typed", "P0=1"]);
});

test("more variables than a workspace can have are refused as a whole, with their number and the room there is", () => {
  const saved = rowsOf(Array.from({ length: 10 }, (_, n) => ({ name: `P${n}`, isSecret: false, value: "0" })));
  const into = newRow();
  const before = editedOf([...saved, into], [into]);
  const refused = withPaste(before, into, pasted(51));
  expect(refused).toEqual({ ...before, refused: { into: into.key, why: "tooMany", count: 41, most: 40 } });
  expect(withoutRow(refused, saved[0]!.key).refused).toBeUndefined();
  // Those with the name of a row take no room.
  const taken = withPaste(refused, into, pasted(50));
  expect([taken.rows.length, taken.refused]).toEqual([50, undefined]);
});

test("pasted text that could not be read is kept, in an open row that says why", () => {
  const into = { ...newRow(), value: "typed" };
  const { rows, open, wrong } = withPaste(editedOf([into], [into]), into, unreadText("A=1\nB=2"));
  expect(shown(rows)).toEqual(["=typed", "=A=1\nB=2"]);
  expect(open.has(rows[1]!.key)).toBe(true);
  expect(wrong.get(rows[1]!)).toEqual({ name: "variable.name", value: "variable.value" });
});

test("a row that was filled since is kept when its fields are closed", () => {
  const [blank, filled] = [newRow(), newRow()];
  const now = withChange(withRow(editedOf([blank], [blank]), filled, true), filled.key, { name: "A" });
  const closed = withClosed(withClosed(now, blank.key), filled.key);
  expect([shown(closed.rows), [...closed.open]]).toEqual([["A="], []]);
});
