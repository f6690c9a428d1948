import { expect, test } from "vitest";
import { batchLookUps } from "./batch-look-ups.ts";

const upper = (keys: string[]) => new Map(keys.filter((key) => key !== "nobody").map((key) => [key, key.toUpperCase()]));

test("look-ups made together are one query, each caller gets their own result, and a missing one is null", async () => {
  const asked: string[][] = [];
  const find = batchLookUps(async (keys) => (asked.push(keys), upper(keys)));
  expect(await Promise.all([find("ada"), find("bob"), find("ada"), find("nobody")])).toEqual(["ADA", "BOB", "ADA", null]);
  expect(asked).toEqual([["ada", "bob", "nobody"]]);
});

test("a look-up during a query gets a query that starts afterwards", async () => {
  let now = "before";
  const find = batchLookUps(async (keys) => {
    const then = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return new Map(keys.map((key) => [key, then]));
  });
  const first = find("ada");
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  now = "after";
  expect(await Promise.all([first, find("ada")])).toEqual(["before", "after"]);
});

test("a failed query fails only for its own callers", async () => {
  const find = batchLookUps(async (keys) => {
    if (keys.includes("bad")) throw new Error("connection lost");
    return upper(keys);
  });
  await expect(Promise.all([find("ada"), find("bad")])).rejects.toThrow("connection lost");
  expect(await find("ada")).toBe("ADA");
});

test("a thousand simultaneous look-ups become several queries", async () => {
  const sizes: number[] = [];
  const find = batchLookUps(async (keys) => (sizes.push(keys.length), upper(keys)));
  const found = await Promise.all(Array.from({ length: 1000 }, (_, index) => find(`p${index}`)));
  expect(found.every((each, index) => each === `P${index}`)).toBe(true);
  expect(Math.max(...sizes)).toBe(100);
});
