/** Two workspaces of one host never have one user, whatever numbers a restored database gives out. */
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { prepareFolder } from "./prepare-folder.ts";
import { listNumbers, moveAside } from "./remove-folder.ts";
import { workspacePaths } from "./workspace-paths.ts";

const isRoot = process.getuid?.() === 0;
const first = { uid: 300_000, gid: 300_000 };
const user = (number: number) => ({ uid: first.uid + number, gid: first.gid + number });
const [one, two] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-numbers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.runIf(isRoot)("a folder is not made for, nor given to, the user of another workspace; its own can be had again", async () => {
  const folder = openFolder();
  const prepare = (id: string, number: number) => prepareFolder(workspacePaths(folder, id), user(number), undefined);
  await prepare(one!, 7);
  await expect(prepare(two!, 7)).rejects.toThrow(`the user ${user(7).gid} is that of the workspace ${one}`);
  expect(await readdir(folder)).toEqual([one]);
  await prepare(two!, 8);
  await expect(prepare(two!, 7)).rejects.toThrow("whose files it could read");
  expect((await stat(workspacePaths(folder, two!).data)).uid).toBe(user(8).uid);
  // Again, with another number that is free, and after its own removal has begun.
  await prepare(one!, 7);
  await prepare(one!, 9);
  await moveAside(folder, one!);
  await prepare(one!, 9);
});

test.runIf(isRoot)("the numbers of a host's workspaces are read from their folders; other folders have none", async () => {
  const folder = openFolder();
  await prepareFolder(workspacePaths(folder, one!), user(7), undefined);
  await prepareFolder(workspacePaths(folder, two!), user(42), undefined);
  await mkdir(path.join(folder, "lost+found"));
  expect(await listNumbers(folder, first)).toEqual(
    new Map([
      [one, 7],
      [two, 42],
    ]),
  );
});
