/** Backs up a workspace larger than this process's memory, with slow storage or a slow host: nothing may accumulate in memory. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import tar from "tar-stream";
import { expect, test } from "vitest";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createBackupSlots } from "./backup-slots.ts";
import type { BackupTools, BackupWorkspace } from "./backup-tools.ts";
import { copyWorkspace } from "./copy-workspace.ts";
import { openBackup } from "./open-backup.ts";

const megabyte = 1_000_000;
const files = 30;
const keys = createBackupKeys(createSecrets("k".repeat(32)));
const workspace = { id: "019f0000-0000-7000-8000-000000000000", accountName: "ada" } as BackupWorkspace;
const row = {
  id: "019f0000-0000-7000-8000-000000000001",
  attempts: 1,
  engine: "n8n",
  engineVersion: "2.0.0",
  kind: "manual",
  createdAt: new Date("2026-11-22T12:00:00Z"),
} as BackupRow;

/** Incompressible files of one megabyte each; `given` counts those that were read. */
function givingWorkspace(given: { files: number }): Readable {
  const pack = tar.pack();
  const give = async () => {
    for (; given.files < files; given.files += 1) {
      const entry = pack.entry({ name: `things/${given.files}`, size: megabyte });
      entry.end(randomBytes(megabyte));
      await once(entry, "finish");
    }
    pack.finalize();
  };
  give().catch((error: unknown) => pack.destroy(error as Error));
  return Readable.from(pack, { objectMode: false });
}

test("a large workspace is read only as fast as slow storage accepts it, and its backup only as fast as a slow host does", async () => {
  const given = { files: 0 };
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const stored: Buffer[] = [];
  let taken = 0;
  const storage = {
    async write(_name: string, content: Readable) {
      began.resolve();
      await goOn.promise;
      for await (const chunk of content) stored.push(chunk as Buffer);
    },
    read: () =>
      Promise.resolve(
        Readable.from(
          (function* () {
            for (const chunk of stored) {
              taken += chunk.length;
              yield chunk;
            }
          })(),
          { objectMode: false },
        ),
      ),
  };
  const engine = { displayName: "n8n", backups: { contents: ["things"], remade: [] } };
  const driver = { observe: () => Promise.resolve({ state: "stopped" }), readStorage: () => Promise.resolve(givingWorkspace(given)) };
  const tools = { engine, driver, storage, keys, slots: createBackupSlots() } as unknown as BackupTools;

  const copying = copyWorkspace(tools, workspace, row);
  await began.promise;
  await pause(300);
  expect(given.files).toBeLessThan(8);
  goOn.resolve();
  const { size, storedAs, unpackedSize } = await copying;
  expect([size > files * megabyte, unpackedSize]).toEqual([true, files * megabyte]);

  const archive = await openBackup(tools, storedAs);
  await once(archive, "readable");
  await pause(300);
  expect(taken).toBeLessThan(8 * megabyte);
  let read = 0;
  for await (const chunk of archive) read += (chunk as Buffer).length;
  expect([read > files * megabyte, taken]).toEqual([true, size]);
});
