/** A workspace with more than this process has memory, a storage and a host that are slow: nothing piles up between them. */
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

/** Files of a megabyte each that cannot be compressed; `given` counts those that were read. */
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

test("of a large workspace no more is read than a slow storage takes, and no more of its backup than a slow host takes", async () => {
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
