import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { onlyOne } from "./only-one.mjs";

function newFile() {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-one-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "below", "lock");
}

test("of several at once one works at a time, each that waits says so once, and nothing is left", async () => {
  const file = newFile();
  let [working, waiting] = [0, 0];
  const seen = [];
  const work = async () => {
    seen.push((working += 1));
    await sleep(150);
    working -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => onlyOne(file, work, () => (waiting += 1))));
  expect({ seen, waiting }).toEqual({ seen: [1, 1, 1, 1], waiting: 3 });
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("the place of a process that was killed is taken immediately, by one of those that wait", async () => {
  const file = newFile();
  await onlyOne(file, async () => undefined);
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(file, `${pid} 0.5`);
  const startedAt = performance.now();
  let working = 0;
  const work = async () => {
    expect((working += 1)).toBe(1);
    await sleep(100);
    working -= 1;
  };
  await Promise.all([1, 2, 3].map(() => onlyOne(file, work)));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test("a file whose number is another process's by now is given up when nobody touches it, and not while its holder works", async () => {
  const file = newFile();
  await onlyOne(file, async () => undefined);
  writeFileSync(file, `${process.ppid} 0.5`);
  await onlyOne(file, async () => undefined, undefined, 300);
  // Longer than that, but touched each second.
  let isOver = false;
  const first = onlyOne(file, async () => {
    await sleep(4_000);
    isOver = true;
  });
  await onlyOne(file, async () => expect(isOver).toBe(true), undefined, 2_500);
  await first;
});

test("a failure is passed on, and frees the place", async () => {
  const file = newFile();
  await expect(onlyOne(file, () => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
  expect(existsSync(file)).toBe(false);
});
