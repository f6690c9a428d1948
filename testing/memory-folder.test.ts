import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
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

test("a folder that cannot be removed is a failure", async () => {
  const { prefix } = leaveFolder();
  const remove = () => Promise.reject(new Error("it is in use"));
  await expect(removeLeftFolders(prefix, remove, 100)).rejects.toThrow("it is in use");
});
