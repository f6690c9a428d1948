import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeMemoryFolder, removeLeftFolders } from "./memory-folder.ts";

/** No process has it: kernels count to 4 million at most. */
const goneMaker = 2_147_483_646;

/** A prefix of this test's own, and a folder of it whose maker is gone. */
function leaveFolder() {
  const place = mkdtempSync(join(tmpdir(), "slipway-test-left-"));
  const prefix = `${basename(place)}-`;
  const left = join(tmpdir(), `${prefix}${goneMaker}-abcdef`);
  mkdirSync(left);
  onTestFinished(() => [place, left].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return { prefix, left };
}

test("two simultaneous cleanups both succeed, and a running process's folders stay", async () => {
  const { prefix, left } = leaveFolder();
  const own = makeMemoryFolder(prefix);
  onTestFinished(() => rmSync(own, { recursive: true }));
  const remove = async (folder: string) => {
    await sleep(20);
    readdirSync(folder);
    rmSync(folder, { recursive: true });
  };
  await Promise.all([removeLeftFolders(prefix, remove), removeLeftFolders(prefix, remove)]);
  expect([left, own].map((folder) => existsSync(folder))).toEqual([false, true]);
});

test("a folder that cannot be removed is set aside and named, and fails no later run", async () => {
  const { prefix, left } = leaveFolder();
  const aside = join(tmpdir(), `slipway-not-removed-${basename(left)}`);
  onTestFinished(() => rmSync(aside, { recursive: true, force: true }));
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  const remove = vi.fn<() => Promise<void>>(() => Promise.reject(new Error("it is in use")));
  await Promise.all([removeLeftFolders(prefix, remove, 100), removeLeftFolders(prefix, remove, 100)]);
  expect([left, aside].map((folder) => existsSync(folder))).toEqual([false, true]);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/not-removed.*it is in use/)]]);
  remove.mockClear();
  await removeLeftFolders(prefix, remove, 100);
  expect(remove).not.toHaveBeenCalled();
});
