/** What of an n8n is backed up, and how it is copied while n8n writes (workspace-side/snapshot-route.mts). */
import { readFileSync } from "node:fs";
import type { Clock } from "#platform/clock.ts";
import type { EngineBackups } from "../engine.ts";
import { signToken, type SigningKey } from "../sign-token.ts";
import { snapshotFolder } from "./workspace-side/snapshot-place.mts";

const folder = ".n8n";
const database = `${folder}/database.sqlite`;
const log = `${database}-wal`;
/** Holds nothing that lasts: SQLite makes it anew. */
const sharedMemory = `${database}-shm`;
/** Has the encryption key in it, which the control plane keeps itself: n8n writes it anew from its environment. */
const config = `${folder}/config`;

/** Gigabytes on a slow disk take minutes. */
const freezeTimeoutMs = 15 * 60_000;
const thawTimeoutMs = 30_000;

/** Calls that each carry a fresh token for this workspace. */
export function createN8nBackups(signingKey: SigningKey, clock: Clock): EngineBackups {
  async function ask(path: string, address: string, workspaceId: string, name: string, timeoutMs: number): Promise<void> {
    const token = signToken(signingKey, clock, { audience: "backup", workspaceId });
    const response = await fetch(`http://${address}/_slipway/snapshot${path}`, {
      method: "POST",
      headers: { connection: "close", authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    if (response.status === 200) return void (await response.body?.cancel());
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    throw new Error(`n8n answers ${response.status}: ${Buffer.from(value ?? []).toString("utf8").slice(0, 300)}`);
  }
  return {
    // Binary data lies in `storage`, and in `binaryData` where an older n8n began it.
    contents: [database, log, sharedMemory, config, `${folder}/storage`, `${folder}/binaryData`, `${folder}/ssh`, `${folder}/git`],
    remade: [sharedMemory, config],
    async freeze(address, workspaceId, name) {
      await ask("", address, workspaceId, name, freezeTimeoutMs);
      return new Map([[database, `${snapshotFolder(name)}/database.sqlite`], [log, null]]);
    },
    thaw: (address, workspaceId, name) => ask("/remove", address, workspaceId, name, thawTimeoutMs),
    inspected: [database, log],
    inspector: readFileSync(new URL("inspect-database.ts", import.meta.url), "utf8"),
  };
}
