import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "slipway-flows-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
const inspect = async () =>
  JSON.parse((await promisify(execFile)(process.execPath, [join(import.meta.dirname, "inspect-flows.ts"), folder])).stdout) as unknown;

test("flows are counted by their tabs; credentials are detected even if encrypted", async () => {
  await write("flows.json", [
    { id: "1", type: "tab" },
    { id: "2", type: "inject", z: "1" },
    { id: "3", type: "tab" },
  ]);
  await write("flows_cred.json", { $: "encrypted" });
  expect(await inspect()).toEqual({ workflows: 2, credentials: 1, executions: 0 });
});

test("an unused workspace holds nothing", async () => {
  expect(await inspect()).toEqual({ workflows: 0, credentials: 0, executions: 0 });
});

test.each(["{not json", '{"a":1}'])("damaged flows make no backup: %s", async (content) => {
  await write("flows.json", content);
  await expect(inspect()).rejects.toThrow();
});
