import { expect, test } from "vitest";
import { atMostEvery } from "./at-most-every.ts";

test("of calls within the period only the first is passed on, and every call if there is no period", () => {
  const passed: string[] = [];
  const once = atMostEvery(60_000, (word: string) => passed.push(word));
  const each = atMostEvery(0, (word: string) => passed.push(word));
  for (const word of ["first", "second"]) [once, each].forEach((say) => say(word));
  expect(passed).toEqual(["first", "first", "second"]);
});
