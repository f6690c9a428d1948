/** The keys that encrypt backups. Each has an id, which is in every file: when another key follows, old files stay readable. */
import { createHash } from "node:crypto";
import type { Secrets } from "#platform/secrets.ts";

export const keyIdBytes = 8;

export interface BackupKey {
  /** Hex. Reveals nothing about the key. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

export interface BackupKeys {
  /** Encrypts new backups. */
  current: BackupKey;
  /** Undefined if this service does not have it. */
  find(id: string): BackupKey | undefined;
}

/** From the service's secret key and its earlier ones: the first encrypts, each can decrypt. */
export function createBackupKeys(secrets: Secrets, earlier: readonly Secrets[] = []): BackupKeys {
  const keys = [secrets, ...earlier].map(makeKey);
  return { current: keys[0]!, find: (id) => keys.find((key) => key.id === id) };
}

function makeKey(secrets: Secrets): BackupKey {
  const key = secrets.derive("backups");
  const id = createHash("sha256")
    .update("slipway backup key id")
    .update(key)
    .digest("hex")
    .slice(0, 2 * keyIdBytes);
  return { id, key };
}
