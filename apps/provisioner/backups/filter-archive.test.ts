import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import { expect, test } from "vitest";
import { filterArchive, usualLimits } from "./filter-archive.ts";

async function archiveOf(add: (pack: tar.Pack) => void): Promise<Readable> {
  const pack = tar.pack();
  add(pack);
  pack.finalize();
  return Readable.from(await buffer(pack), { objectMode: false });
}

async function filtered(archive: Readable) {
  const left: string[] = [];
  let bytes = 0;
  const watch = { kept: (size: number) => void (bytes += size), leftOut: (name: string, why: string) => void left.push(`${why} ${name}`) };
  const entries: [string, number | undefined, string][] = [];
  for await (const entry of filterArchive(archive, (name) => (name.startsWith("other") ? null : name), { name: "first.json", text: "{}" }, usualLimits, watch).pipe(tar.extract())) {
    entries.push([entry.header.name, entry.header.mode, (await buffer(entry as unknown as Readable)).toString()]);
  }
  return { left, bytes, entries };
}

test("what is not in a backup, or not under its own name, is listed; a program stays one that can be run", async () => {
  const archive = await archiveOf((pack) => {
    pack.entry({ name: "things/run.sh", mode: 0o755 }, "#!");
    pack.entry({ name: "things/plain.txt", mode: 0o644 }, "plain");
    pack.entry({ name: "things/link", type: "symlink", linkname: "/etc/passwd" });
    pack.entry({ name: "things/pipe", type: "fifo" });
    pack.entry({ name: `things/${"x".repeat(1_100)}` }, "long");
    pack.entry({ name: "other/link", type: "symlink", linkname: "x" });
  });
  const { left, bytes, entries } = await filtered(archive);
  expect(entries).toEqual([["first.json", 0o600, "{}"], ["things/run.sh", 0o700, "#!"], ["things/plain.txt", 0o600, "plain"]]);
  expect(left).toEqual(["link things/link", "special things/pipe", `name things/${"x".repeat(1_100)}`]);
  expect(bytes).toBe(7);
});

test("files whose names are no text are all kept, and listed", async () => {
  const archive = await archiveOf((pack) => {
    for (const content of ["one", "two"]) pack.entry({ name: "things/caf\uFFFD.txt" }, content);
  });
  const { left, entries } = await filtered(archive);
  expect(entries.map(([, , content]) => content)).toEqual(["{}", "one", "two"]);
  expect(new Set(entries.map(([name]) => name))).toHaveLength(3);
  expect(left).toEqual(["name things/caf\uFFFD.txt", "name things/caf\uFFFD.txt"]);
});
