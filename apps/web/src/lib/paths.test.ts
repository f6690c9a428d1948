import { expect, test } from "vitest";
import { plainPath } from "./paths.ts";

test("an address is read in any case, with or without slashes at its end, and however many slashes it has takes no time", () => {
  expect(["/", "//", "/Dashboard/", "/help/a//", "//login"].map(plainPath)).toEqual(["/", "/", "/dashboard", "/help/a", "//login"]);
  const odd = `${"/".repeat(100_000)}x`;
  const before = process.cpuUsage();
  expect(plainPath(odd)).toBe(odd);
  // In milliseconds of processor time: the machine may be busy.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500);
});
