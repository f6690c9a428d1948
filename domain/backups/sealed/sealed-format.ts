/**
 * How a stored file is encrypted (decision 0048): a header of magic, key id and salt, then chunks of AES-256-GCM. Each nonce contains the
 * chunk's position and whether it is the last, so that chunks left out, moved or cut off are detected at the first wrong one.
 */
import { hkdfSync } from "node:crypto";
import type { BackupKey } from "./backup-keys.ts";

export const magic = Buffer.from("SLIPWAY1", "latin1");
export const saltBytes = 32;
export const tagBytes = 16;
/** Plain bytes in every chunk but the last. Small enough to hold in memory, large enough that 16 bytes of tag are negligible. */
export const chunkBytes = 64 * 1024;

/** A separate key for this file: bound to its name, so that one file cannot be passed off as another. */
export function fileKey({ id, key }: BackupKey, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, `slipway sealed file\0${id}\0${name}`, 32));
}

/** No nonce is ever used twice with a key: the key is unique to this file, and the number grows. */
export function chunkNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
