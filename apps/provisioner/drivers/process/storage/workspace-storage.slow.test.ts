/** What the suite of all drivers does not cover: files on a disk have permissions, links and holes. */
import { chmod, chown, link, mkdir, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import type { RunSpec } from "../../driver.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { workspacePaths } from "./workspace-paths.ts";

let harness: ProcessHarness;
beforeAll(async () => (harness = await makeProcessHarness()));
afterAll(() => harness.close());

/** A stopped workspace, its folder, and a way to write there as its user. */
async function stopped(): Promise<{ spec: RunSpec; folder: string; write: (path: string, content: string) => Promise<void> }> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const { data: folder } = workspacePaths(harness.workspacesDir, spec.workspaceId);
  await harness.driver.ensure({ ...spec, run: false });
  const { uid, gid } = await stat(folder);
  const write = async (path: string, content: string): Promise<void> => {
    const parts = path.split("/");
    for (const depth of parts.keys())
      if (depth > 0)
        await mkdir(join(folder, ...parts.slice(0, depth))).then(
          () => chown(join(folder, ...parts.slice(0, depth)), uid, gid),
          () => undefined,
        );
    await writeFile(join(folder, path), content);
    await chown(join(folder, path), uid, gid);
  };
  return { spec, folder, write };
}

async function archiveOf(files: Record<string, string>): Promise<Readable> {
  const pack = tar.pack();
  for (const [name, content] of Object.entries(files)) pack.entry({ name }, content);
  pack.finalize();
  return Readable.from(await buffer(pack), { objectMode: false });
}

const hidden = async (folder: string) => (await readdir(folder)).filter((name) => /^\.(arriving|leaving|left)$/.test(name));

test("a replacement that fails halfway leaves everything as it was", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/one.txt", "as it was");
  // A file where the new one needs a folder: the second path cannot be put in place.
  await write("blocked", "a file");
  const archive = await archiveOf({ "things/one.txt": "restored", "added/new.txt": "new", "blocked/inner.txt": "x" });
  await expect(harness.driver.replaceStorage(spec, ["things", "added", "blocked/inner.txt"], archive)).rejects.toThrow(
    "could not be replaced",
  );
  expect(await readFile(join(folder, "things/one.txt"), "utf8")).toBe("as it was");
  expect(await readFile(join(folder, "blocked"), "utf8")).toBe("a file");
  await expect(stat(join(folder, "added"))).rejects.toThrow("ENOENT");
  expect(await hidden(folder)).toEqual([]);
});

test("files set aside by a worker that died are put back before anything else", async () => {
  const { spec, folder, write } = await stopped();
  await write(".leaving/was/things/one.txt", "as it was");
  await write(".leaving/not/added", "");
  await write("things/one.txt", "half of another backup");
  await write("added", "of another backup");
  const breaking = Readable.from(
    (async function* () {
      yield (await buffer(await archiveOf({ "things/one.txt": "restored" }))).subarray(0, 700);
      throw new Error("the line went dead");
    })(),
    { objectMode: false },
  );
  await expect(harness.driver.replaceStorage(spec, ["things", "added"], breaking)).rejects.toThrow("could not be replaced");
  expect(await readFile(join(folder, "things/one.txt"), "utf8")).toBe("as it was");
  await expect(stat(join(folder, "added"))).rejects.toThrow("ENOENT");
  await harness.driver.replaceStorage(spec, ["things", "added"], await archiveOf({ "things/one.txt": "restored" }));
  expect(await readFile(join(folder, "things/one.txt"), "utf8")).toBe("restored");
  expect(await hidden(folder)).toEqual([]);
});

test("a workspace with an interrupted replacement that is not tried again starts with its old files", async () => {
  const { spec, folder, write } = await stopped();
  await write(".leaving/names", "things\nadded\n");
  await write(".leaving/was/things/one.txt", "as it was");
  await write(".leaving/not/added", "");
  await write("added", "of another backup");
  await write(".arriving/things/one.txt", "of another backup");
  await harness.driver.ensure({ ...spec, generation: spec.generation + 1 });
  expect(await readFile(join(folder, "things/one.txt"), "utf8")).toBe("as it was");
  await expect(stat(join(folder, "added"))).rejects.toThrow("ENOENT");
  expect(await hidden(folder)).toEqual([]);
});

test("folders that their owner may not write to are replaced as well", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/deep/one.txt", "old");
  for (const path of ["things/deep", "things"]) await chmod(join(folder, path), 0o555);
  await harness.driver.replaceStorage(spec, ["things"], await archiveOf({ "things/two.txt": "restored" }));
  expect(await readdir(join(folder, "things"))).toEqual(["two.txt"]);
  expect(await hidden(folder)).toEqual([]);
});

test("sparse files that claim far more space than they use are refused before any byte is read", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/huge", "");
  await truncate(join(folder, "things/huge"), 3 * 1024 ** 3);
  await expect(harness.driver.readStorage(spec, ["things"]).then(buffer)).rejects.toMatchObject({
    code: "storage_too_large",
    message: expect.stringContaining("claim"),
  });
});

test("one file under thousands of names counts as often as it would be stored", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/0", "x".repeat(4 * 1024 ** 2));
  for (let name = 1; name < 300; name += 1) await link(join(folder, "things/0"), join(folder, "things", String(name)));
  await expect(harness.driver.readStorage(spec, ["things"]).then(buffer)).rejects.toMatchObject({ code: "storage_too_large" });
});

test("a file that the workspace itself may not read is reported, and the others are copied", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/one.txt", "one");
  const hiddenFiles = ["things/a \\ \n.txt", "things/hidden.txt", "things/über.txt"];
  for (const file of hiddenFiles) {
    await write(file, "x");
    await chmod(join(folder, file), 0o000);
  }
  const unread: string[] = [];
  const archive = await buffer(await harness.driver.readStorage(spec, ["things"], (name) => void unread.push(name)));
  expect(unread.toSorted()).toEqual(["things/a \\  .txt", "things/hidden.txt", "things/über.txt"]);
  expect(archive.includes("things/one.txt")).toBe(true);
});

test("a file with two names has both after it is put back", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/one.txt", "the same");
  await link(join(folder, "things/one.txt"), join(folder, "things/two.txt"));
  const names: (string | undefined)[] = [];
  const extract = tar.extract();
  (await harness.driver.readStorage(spec, ["things"])).pipe(extract);
  for await (const entry of extract) {
    if (entry.header.type === "file") names.push(entry.header.name);
    entry.resume();
  }
  expect(names.toSorted()).toEqual(["things/one.txt", "things/two.txt"]);
});

test("names that are not UTF-8 keep their exact bytes when read and put back", async () => {
  const { spec, folder, write } = await stopped();
  await write("things/one.txt", "one");
  const names = ["caf\xe9.txt", "caf\xc3\xa9.txt", `${"x".repeat(110)}\xe8`].map((name) => Buffer.from(name, "latin1"));
  const { uid, gid } = await stat(folder);
  for (const name of names) {
    const file = Buffer.concat([Buffer.from(`${folder}/things/`), name]);
    await writeFile(file, "kept");
    await chown(file, uid, gid);
  }
  const archive = await buffer(await harness.driver.readStorage(spec, ["things"]));
  for (const name of names) expect(archive.includes(name), name.toString("latin1")).toBe(true);
  expect(archive.includes(Buffer.from("path=")), "extended headers call every name UTF-8").toBe(false);
  await harness.driver.replaceStorage(spec, ["things"], Readable.from([archive], { objectMode: false }));
  const there = (await readdir(join(folder, "things"), { encoding: "buffer" })).map((name) => name.toString("latin1"));
  expect(there.toSorted()).toEqual(["one.txt", ...names.map((name) => name.toString("latin1"))].toSorted());
});
