import { expect, test } from "vitest";
import { moveInGrid } from "./move-in-grid.ts";

test.each([
  ["ArrowRight", 0, 1],
  ["ArrowLeft", 0, 0],
  ["ArrowDown", 1, 3],
  ["ArrowUp", 3, 1],
  ["ArrowUp", 1, 0],
  ["ArrowDown", 9, 9],
  ["PageDown", 0, 9],
  ["Home", 7, 0],
  ["End", 0, 9],
  ["a", 0, null],
  ["Tab", 0, null],
])("%s from %i leads to %s", (key, at, expected) => expect(moveInGrid(key, { at, count: 10, columns: 2 })).toBe(expected));

test("in an empty list nothing moves", () => expect(moveInGrid("ArrowDown", { at: 0, count: 0, columns: 2 })).toBeNull());
