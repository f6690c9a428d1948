/** Files are put in place by a shell, which can be killed between any two of its commands. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { placeScript } from "../../storage-scripts.ts";
import { settleReplacement } from "./place-arrived.ts";

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((each) => rm(each, { recursive: true, force: true }))));

const paths = ["data/database", "things", "added", "gone"];
const before = { "data/database": "old", "data/kept": "kept", "things/one": "old", "gone/one": "old" };
const after = { "data/database": "new", "data/kept": "kept", "things/two": "new", "added/one": "new" };
const unpacked = { "data/database": "new", "things/two": "new", "added/one": "new" };

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function begun(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-place-"));
  folders.push(folder);
  await write(folder, before);
  await write(join(folder, ".arriving"), unpacked);
  return folder;
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  return Object.fromEntries(
    await Promise.all(
      files.map(
        async ({ parentPath, name }) =>
          [join(parentPath, name).slice(folder.length + 1), await readFile(join(parentPath, name), "utf8")] as const,
      ),
    ),
  );
}

/** Kills the shell before its n-th command that changes files. */
const killedBefore = (n: number): string => `steps=0
step() { steps=$((steps + 1)); [ $steps -lt ${n} ] || kill -9 $$; }
${["mv", "rm", "mkdir"].map((name) => `${name}() { step; command ${name} "$@"; }`).join("\n")}
${placeScript}`;

test("a replacement killed at any point is fully undone or fully done at the next start, and leaves nothing behind", async () => {
  let kills = 0;
  for (let step = 1; ; step += 1) {
    const folder = await begun();
    const { signal, status } = spawnSync("/bin/sh", ["-c", killedBefore(step), "sh", ...paths], { cwd: folder });
    await settleReplacement(folder, undefined);
    const contents = await contentsOf(folder);
    expect([before, after], `killed before step ${step}`).toContainEqual(contents);
    if (signal === null) {
      expect({ status, contents }).toEqual({ status: 0, contents: after });
      break;
    }
    kills += 1;
  }
  expect(kills).toBeGreaterThan(15);
});
