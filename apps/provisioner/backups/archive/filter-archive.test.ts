import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { expect, test } from "vitest";
import { filterArchive, usualLimits } from "./filter-archive.ts";
import { tarHeader } from "./tar-header.ts";

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
  for await (const entry of filterArchive(
    archive,
    (name) => (name.startsWith("other") ? null : name),
    { name: "first.json", text: "{}" },
    usualLimits,
    watch,
  ).pipe(tar.extract())) {
    entries.push([entry.header.name, entry.header.mode, (await buffer(entry as unknown as Readable)).toString()]);
  }
  return { left, bytes, entries };
}

test("entries left out of a backup, or with unusable names, are listed, and programs stay executable", async () => {
  const archive = await archiveOf((pack) => {
    pack.entry({ name: "things/run.sh", mode: 0o755 }, "#!");
    pack.entry({ name: "things/plain.txt", mode: 0o644 }, "plain");
    pack.entry({ name: "things/link", type: "symlink", linkname: "/etc/passwd" });
    pack.entry({ name: "things/pipe", type: "fifo" });
    pack.entry({ name: `things/${"x".repeat(1_100)}` }, "long");
    pack.entry({ name: "other/link", type: "symlink", linkname: "x" });
  });
  const { left, bytes, entries } = await filtered(archive);
  expect(entries).toEqual([
    ["first.json", 0o600, "{}"],
    ["things/run.sh", 0o700, "#!"],
    ["things/plain.txt", 0o600, "plain"],
  ]);
  expect(left).toEqual(["link things/link", "special things/pipe", `name things/${"x".repeat(1_100)}`]);
  expect(bytes).toBe(7);
});

test("names keep their exact bytes in any encoding, and entries keep their dates", async () => {
  const long = (end: string) => Buffer.concat([Buffer.from("x".repeat(120)), Buffer.from(end, "latin1")]);
  const names = [
    Buffer.from("plain.txt"),
    Buffer.from("café.txt"),
    Buffer.from("caf\xe9.txt", "latin1"),
    Buffer.from("caf\xe8.txt", "latin1"),
    Buffer.from("line\nbreak"),
    long(".txt"),
    long("\xe9\xe8"),
    Buffer.from("ü".repeat(60)),
  ];
  const folder = await mkdtemp(join(tmpdir(), "slipway-names-"));
  const at = (place: string, name: Buffer) => Buffer.concat([Buffer.from(`${folder}/${place}/`), name]);
  for (const place of ["from/things", "to"]) await mkdir(join(folder, place), { recursive: true });
  for (const [index, name] of names.entries()) await writeFile(at("from/things", name), `content ${index}`);
  const later = new Date("2060-01-01T00:00:00Z");
  await utimes(at("from/things", names[0]!), later, later);
  await utimes(at("from/things", names[1]!), new Date("1960-01-01T00:00:00Z"), new Date("1960-01-01T00:00:00Z"));
  const leftOut: string[] = [];
  const watch = { kept: () => undefined, leftOut: (name: string) => void leftOut.push(name) };
  const read = spawn("tar", ["--create", "--format=gnu", "--file=-", "things"], {
    cwd: join(folder, "from"),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const write = spawn("tar", ["-x", "-f", "-"], {
    cwd: join(folder, "to"),
    stdio: ["pipe", "ignore", "pipe"],
    env: { ...process.env, LC_ALL: "C" },
  });
  const said = text(write.stderr);
  await pipeline(
    filterArchive(read.stdout, (name) => name, { name: "first.json", text: "{}" }, usualLimits, watch),
    write.stdin,
  );
  const told = await said;
  expect(leftOut).toEqual([]);
  expect(told.replace(/^.*in the future\n/gm, "")).toBe("");
  const restored = await readdir(join(folder, "to/things"), { encoding: "buffer" });
  const sorted = (list: Buffer[]) => list.map((name) => name.toString("latin1")).toSorted();
  expect(sorted(restored)).toEqual(sorted(names));
  for (const [index, name] of names.entries()) expect(await readFile(at("to/things", name), "utf8")).toBe(`content ${index}`);
  expect((await stat(at("to/things", names[0]!))).mtime).toEqual(later);
  await rm(folder, { recursive: true });
});

test("the size of a file of more than 8 GB can be read when unpacking", async () => {
  const size = 9 * 1024 ** 3 + 5;
  const head = tarHeader({ name: "things/huge", isFolder: false, size, mode: 0o600, modifiedAt: new Date(0) });
  const extract = tar.extract();
  const seen = new Promise((resolve) => extract.on("entry", ({ name, size: said }) => resolve([name, said])));
  extract.write(head);
  expect(await seen).toEqual(["things/huge", size]);
});
