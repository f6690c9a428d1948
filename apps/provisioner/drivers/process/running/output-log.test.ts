import { appendFile, mkdir, mkdtemp, rename, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { workspacePaths } from "../storage/workspace-paths.ts";
import { boundOutput, readNewOutput } from "./output-log.ts";

async function workspace() {
  const folder = await mkdtemp(join(tmpdir(), "slipway-output-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const paths = workspacePaths(folder, "one");
  const [current, previous, oldest] = paths.outputs;
  await mkdir(dirname(current), { recursive: true });
  const write = (text: string | Buffer) => appendFile(current, text);
  /** As the launcher does. */
  const start = async () => {
    await rename(previous, oldest).catch(() => undefined);
    await rename(current, previous);
    await write("");
  };
  return { paths, current, write, start, read: (mark: string | null, most = 1_000) => readNewOutput(paths, mark, most) };
}

test("lines are read once, and only when their end is written", async () => {
  const { read, write } = await workspace();
  expect(await read(null)).toEqual({ text: "", mark: "", isCut: false });
  await write("one\ntwo\nthr");
  const first = await read(null);
  expect(first).toMatchObject({ text: "one\ntwo\n", isCut: false });
  expect(await read(first.mark)).toMatchObject({ text: "", mark: first.mark });
  await write("ee\n");
  const second = await read(first.mark);
  expect(second.text).toBe("three\n");
  expect(await read(second.mark)).toEqual({ text: "", mark: second.mark, isCut: false });
});

test("a start continues the output of the previous one", async () => {
  const { read, write, start } = await workspace();
  await write("one\n");
  const { mark } = await read(null);
  await write("last\n");
  await start();
  await write("new\n");
  expect(await read(mark)).toMatchObject({ text: "last\nnew\n", isCut: false });
  expect(await read(null)).toMatchObject({ text: "one\nlast\nnew\n" });
  // Two starts between two looks.
  await start();
  await start();
  await write("newest\n");
  expect(await read(mark)).toMatchObject({ text: "newest\n", isCut: true });
});

test("output beyond the limit, or cut off, is left out and marked as missing", async () => {
  const { paths, current, read, write } = await workspace();
  await write("one\n");
  const { mark } = await read(null);
  await write("0123456789\n".repeat(1_000));
  const flood = await read(mark, 110);
  expect(flood).toMatchObject({ text: "0123456789\n".repeat(10), isCut: true });
  expect((await read(flood.mark)).text).toBe("");
  await boundOutput(paths, 1_000);
  await write("after\n");
  const after = await read(flood.mark);
  expect(after).toMatchObject({ text: "after\n", isCut: true });
  await truncate(current);
  expect(await read(after.mark)).toMatchObject({ text: "", isCut: true });
});

test("a line without end is shown before it fills the disk, without half a character", async () => {
  const { read, write } = await workspace();
  await write("one\n");
  const { mark } = await read(null);
  await write("é".repeat(20_000));
  const endless = await read(mark, 20_001);
  expect(endless.text).toMatch(/^é+$/);
  expect(Buffer.byteLength(endless.text)).toBe(20_000);
});
