import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { unsealStream } from "#domain/backups/sealed/unseal-stream.ts";
import type { ExportRow } from "#domain/exports/export-store.ts";
import { createSecrets } from "#platform/secrets.ts";
import { readZip } from "#testing/content/read-zip.ts";
import type { BackupWorkspace } from "../backups/backup-tools.ts";
import type { ExportTools } from "./export-work.ts";
import { writeExport } from "./write-export.ts";

const secrets = createSecrets("k".repeat(32));
const keys = createBackupKeys(secrets);
const row = { id: "one", withCredentials: false, credentialsKey: null, createdAt: new Date("2026-11-22T12:00:00Z") } as ExportRow;
const workspace = { id: "019f0000-0000-7000-8000-000000000000" } as BackupWorkspace;
const megabyte = 1_000_000;

/** A workspace with `count` incompressible workflows of a megabyte each, and a storage that behaves as the test says. */
function build(count: number, write: (content: Readable) => Promise<void>) {
  const given = { files: 0, isOver: false };
  async function* read() {
    try {
      for (; given.files < count; given.files++)
        yield { kind: "workflow" as const, path: `${given.files}.json`, content: randomBytes(megabyte / 2).toString("hex"), count: 1 };
    } finally {
      given.isOver = true;
    }
  }
  const engine = { displayName: "n8n", exports: { read, companions: () => [{ path: "README.txt", content: "read me" }] } };
  const storage = { write: (_name: string, content: Readable) => write(content) };
  const tools = { engine, storage, keys, secrets, driver: { observe: async () => ({ address: "127.0.0.1:1" }) } } as unknown as ExportTools;
  return { tools, given };
}

test("an export arrives complete, in order and sealed", async () => {
  let stored = Buffer.alloc(0);
  const { tools } = build(3, async (content) => void (stored = await buffer(content)));
  const told: number[] = [];
  const written = await writeExport(tools, workspace, row, "en", (workflows) => void told.push(workflows));
  expect(told).toEqual([1, 2, 3]);
  const unsealed = unsealStream(keys, "exports/one");
  unsealed.end(stored);
  const zip = await buffer(unsealed);
  expect([...readZip(zip)].map(([path, { length }]) => [path, length])).toEqual([
    ["0.json", megabyte],
    ["1.json", megabyte],
    ["2.json", megabyte],
    ["README.txt", 7],
  ]);
  expect(written).toEqual({ size: zip.length, workflows: 3, credentials: null });
});

test("a blocked storage pauses the workspace's export, and memory stays flat", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { tools, given } = build(200, async (content) => {
    begun.resolve();
    await end.promise;
    for await (const _chunk of content);
  });
  const before = process.memoryUsage().rss;
  const writing = writeExport(tools, workspace, row, "en");
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(given.files).toBeLessThan(5);
  expect((process.memoryUsage().rss - before) / megabyte).toBeLessThan(100);
  end.resolve();
  expect((await writing).workflows).toBe(200);
});

test("a failing storage ends the reading, and its own error is reported", async () => {
  const { tools, given } = build(50, async (content) => {
    for await (const _chunk of content) break;
    throw new Error("no room in the bucket");
  });
  await expect(writeExport(tools, workspace, row, "en")).rejects.toThrow("no room in the bucket");
  expect(given.isOver).toBe(true);
  expect(given.files).toBeLessThan(10);
});

test("a failing workspace ends the writing, and its own error is reported", async () => {
  const { tools } = build(1, async (content) => void (await buffer(content)));
  const broken = {
    ...tools.engine.exports!,
    read: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("the tool died")) }) }),
  };
  await expect(writeExport({ ...tools, engine: { ...tools.engine, exports: broken } }, workspace, row, "en")).rejects.toThrow(
    "the workspace returned no export: the tool died",
  );
});
