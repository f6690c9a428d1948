import { expect, test } from "vitest";
import { knownOnce } from "./known-once.ts";

test("an answer is requested once, even by simultaneous callers, and requested again after a failure", async () => {
  let asked = 0;
  const answer = knownOnce(async () => {
    asked += 1;
    if (asked === 1) throw new Error("the disk is away");
    return asked;
  });
  const first = await Promise.allSettled([answer(), answer()]);
  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([answer(), answer()])).toEqual([2, 2]);
  expect(await answer()).toBe(2);
});
