import { chmodSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { holdInstallLock } from "./hold-install-lock.ts";
import { removeTree } from "./seal-tree.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-lock-"));
  onTestFinished(() => removeTree(folder));
  return folder;
}

test("no other user can open the lock, new or of an earlier version: a reader could keep the holder out forever", async () => {
  const [fresh, earlier] = [join(makeFolder(), "lock"), join(makeFolder(), "lock")];
  writeFileSync(earlier, "");
  chmodSync(earlier, 0o644);
  for (const path of [fresh, earlier]) {
    const free = await holdInstallLock(path, () => undefined);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    free();
  }
});

test("of two callers in one process the second waits until the first is done", async () => {
  const path = join(makeFolder(), "lock");
  const free = await holdInstallLock(path, () => undefined);
  let isSecond = false;
  const second = holdInstallLock(path, () => undefined).then((freeSecond) => {
    isSecond = true;
    freeSecond();
  });
  await delay(600);
  expect(isSecond).toBe(false);
  free();
  await second;
});
