import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shortOf } from "./short-of.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-short-of-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "meminfo");
const groups = join(folder, "no groups");
const host = (available: number, swap: number, swapFree: number) => {
  writeFileSync(
    file,
    `MemTotal:       1000000 kB\nMemFree:          20000 kB\nMemAvailable:   ${available} kB\nSwapTotal:      ${swap} kB\nSwapFree:       ${swapFree} kB\n`,
  );
  return shortOf({ meminfo: file, groups });
};

test("a host is short of memory or swap when a twentieth is left, and a host without swap is not short of swap", () => {
  expect(host(40_000, 500_000, 400_000)).toBe("memory");
  expect(host(400_000, 500_000, 20_000)).toBe("swap");
  expect(host(400_000, 500_000, 30_000)).toBeUndefined();
  expect(host(400_000, 0, 0)).toBeUndefined();
  expect(shortOf({ meminfo: `${file}.missing`, groups })).toBeUndefined();
});
