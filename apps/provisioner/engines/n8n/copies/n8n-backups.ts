/** What a backup of an n8n contains, and how it is copied while n8n writes (workspace-side/copies/snapshot-route.mts). */
import { readFileSync } from "node:fs";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { createAsk, done, type Caller } from "../../call-workspace.ts";
import type { EngineBackups } from "../../port/engine-copies.ts";
import { filesFolder } from "../workspace-side/files-folder.mts";
import { snapshotFolder } from "../workspace-side/copies/snapshot-place.mts";

const folder = ".n8n";
const database = `${folder}/database.sqlite`;
const log = `${database}-wal`;
/** Contains nothing permanent: SQLite recreates it. */
const sharedMemory = `${database}-shm`;
/** Contains the encryption key, which the control plane stores: n8n writes the file again from its environment. */
const config = `${folder}/config`;

/** Copying gigabytes on a slow disk takes minutes. */
const freezeTimeoutMs = 15 * minuteMs;
const thawTimeoutMs = 30 * secondMs;

/** Calls that each carry a fresh token for this workspace. */
export function createN8nBackups(caller: Caller): EngineBackups {
  const askFreeze = createAsk(caller, "backup", { timeoutMs: freezeTimeoutMs });
  const askThaw = createAsk(caller, "backup", { timeoutMs: thawTimeoutMs });
  return {
    // Community nodes are in `nodes` with their dependencies. Binary data is in `storage`, and in `binaryData` if an older n8n created it.
    contents: [
      database,
      log,
      sharedMemory,
      config,
      `${folder}/storage`,
      `${folder}/binaryData`,
      `${folder}/ssh`,
      `${folder}/git`,
      `${folder}/nodes`,
      filesFolder,
    ],
    remade: [sharedMemory, config],
    async freeze(address, workspaceId, name) {
      await askFreeze(done, address, workspaceId, "/_slipway/snapshot", { name });
      return new Map([
        [database, `${snapshotFolder(name)}/database.sqlite`],
        [log, null],
      ]);
    },
    thaw: async (address, workspaceId, name) => {
      await askThaw(done, address, workspaceId, "/_slipway/snapshot/remove", { name });
    },
    inspected: [database, log],
    inspector: readFileSync(new URL("inspect-database.ts", import.meta.url), "utf8"),
    rewrite: {
      from: [database, log],
      written: "rewritten.sqlite",
      to: database,
      program: readFileSync(new URL("rewrite-database.ts", import.meta.url), "utf8"),
    },
  };
}
