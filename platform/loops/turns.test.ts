import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("each key has one piece of work at a time, a limited number wait, and no key waits for another", async () => {
  const inTurn = createTurns({ mostWaiting: 1, what: "tests" });
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const ada = [inTurn("ada", work("ada 1")), inTurn("ada", work("ada 2"))];
  await turn();
  await expect(inTurn("ada", work("ada 3"))).rejects.toMatchObject({ code: "unavailable" });
  const bob = inTurn("bob", work("bob"));
  await turn();
  expect(begun).toEqual(["ada 1", "bob"]);
  for (let ended = 0; ended < 3; ended += 1) {
    ends[ended]!();
    await turn();
  }
  await Promise.all([...ada, bob]);
  expect(begun).toEqual(["ada 1", "bob", "ada 2"]);
  await expect(inTurn("ada", () => Promise.reject(new Error("it broke")))).rejects.toThrow("it broke");
  expect(await inTurn("ada", () => Promise.resolve("again"))).toBe("again");
});
