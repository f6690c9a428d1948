import { expect, test } from "vitest";
import { mostConnections } from "./crowd.ts";

test.each([
  ["Max open files            20000                20000                files", 15_000],
  ["Max open files            1024                 4096                 files", 768],
  ["Max open files            unlimited            unlimited            files", 75_000],
  ["Max open files            1048576              1048576              files", 100_000],
  ["", 768],
])("with the limit %j there are at most %i connections", (limits, most) => {
  expect(mostConnections(`Max file locks unlimited\n${limits}\nMax locked memory 1`)).toBe(most);
});

test("this machine has a connection limit", () => {
  expect(mostConnections()).toBeGreaterThan(100);
});
