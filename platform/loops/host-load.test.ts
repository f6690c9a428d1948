import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHostLoad } from "./host-load.ts";

/** Two seconds in which the host was idle and the group used 990 ms. */
function isBusyUnder(limit: string | null): boolean {
  const group = mkdtempSync(join(tmpdir(), "slipway-group-"));
  onTestFinished(() => rmSync(group, { recursive: true }));
  const used = (ms: number) => writeFileSync(join(group, "cpu.stat"), `usage_usec ${ms * 1000}\nuser_usec 0\n`);
  if (limit !== null) writeFileSync(join(group, "cpu.max"), `${limit} 100000\n`);
  used(0);
  let now = 0;
  const isBusy = createHostLoad({ groups: group, now: () => now, host: () => ({ busyMs: 0, allMs: 2 * now }) });
  now = 2_000;
  used(990);
  return isBusy();
}

test.each([
  ["half a processor", "50000", true],
  ["a whole processor", "100000", false],
  ["no limit", "max", false],
  ["no control groups", null, false],
])("on an idle host, a process that used half a processor and was granted %s (%s): busy %s", (_what, limit, expected) => {
  expect(isBusyUnder(limit)).toBe(expected);
});

test("a busy host is busy, whatever the process was granted, and is judged again after a second", () => {
  let [now, busy] = [0, 0];
  const isBusy = createHostLoad({ groups: "/nowhere", now: () => now, host: () => ({ busyMs: busy, allMs: 2 * now }) });
  [now, busy] = [2_000, 3_900];
  expect(isBusy()).toBe(true);
  now = 2_500;
  expect(isBusy()).toBe(true);
  now = 6_000;
  expect(isBusy()).toBe(false);
});
